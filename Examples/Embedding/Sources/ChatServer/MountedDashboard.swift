import LifetimeTracerDashboard

// example mount: begin
/// Answers the requests of a server of one's own below `/`.
struct MountedDashboard {
    private let dashboard = Dashboard(gate: GatePolicy(allowedHosts: ["chat.example"]))

    func answer(_ method: String, _ target: String, host: String) -> HTTPResponse {
        let headers = HTTPHeaders([HTTPHeaders.Field("Host", host)])
        return dashboard.respond(to: HTTPRequest(method: method, target: target, headers: headers))
    }
}
// example mount: end
