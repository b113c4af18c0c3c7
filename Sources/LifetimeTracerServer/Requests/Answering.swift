import LifetimeTracerDashboard

/// How a server answers requests.
package struct Answering: Sendable {
    /// Answers a request.
    let handler: RequestHandler
    /// Whether the answer to a request may take longer than a millisecond.
    ///
    /// Called on the daemon's thread. The handler is then called on another thread, for one such request at a time.
    let takesLong: @Sendable (HTTPRequest) -> Bool

    /// Answers all requests that do not take long on the daemon's thread.
    package init(
        takesLong: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false }, _ handler: @escaping RequestHandler
    ) {
        self.handler = handler
        self.takesLong = takesLong
    }
}
