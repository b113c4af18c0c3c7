import LifetimeTracer

extension Dashboard {
    /// Whether the answer to a request may take longer than a millisecond, so that a server with one thread for all
    /// clients should make it on another one.
    ///
    /// Costs a few short locks. Errs on the side of `true`.
    package func takesLong(_ request: HTTPRequest) -> Bool {
        let target = request.target
        if Self.long.contains(where: target.hasPrefix) { return true }
        let growsWithRegistry =
            target.hasPrefix("/api/v1/") && !Self.quick.contains(where: target.hasPrefix)
            || target.hasPrefix("/metrics")
        return growsWithRegistry && registry.isLarge
    }

    /// Their answers can be long in a small registry, too.
    private static let long = ["/api/v1/heaps", "/api/v1/history", "/api/v1/openapi.json"]
    /// Their answers depend on little data, or are streams, which are read in short parts.
    private static let quick = [
        "/api/v1/summary", "/api/v1/events", "/api/v1/marks", "/api/v1/acknowledged-leaks", "/api/v1/process",
    ]
}
