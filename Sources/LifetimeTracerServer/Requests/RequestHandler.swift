import LifetimeTracerDashboard

/// Answers a request.
///
/// Called on the daemon's thread, so it must return quickly: while it runs, no other client is served. Requests that
/// may take long are an exception, see ``Answering``. It must not stop the server, because the stop waits for it.
package typealias RequestHandler = @Sendable (HTTPRequest) -> HTTPResponse
