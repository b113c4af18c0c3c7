import LifetimeTracer
import LifetimeTracerServer

// example production: begin
/// Starts what a server in production needs: limits, a log of the verdicts, and the dashboard.
func startTracing(accessToken: String) throws -> TracerServer {
    let registry = LifetimeRegistry.shared
    try registry.setMaximumAge(.seconds(3600), for: Upload.self)
    try registry.setBudget(10_000, for: Connection.self)
    registry.observeVerdicts(.standardError).keep()

    let server = TracerServer(
        address: "0.0.0.0:8089", accessToken: accessToken, allowedHosts: ["chat.example"],
        knownLeaks: "known-leaks.json")
    try server.start()
    return server
}
// example production: end
