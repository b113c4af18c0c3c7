/// A response body that becomes available over time.
///
/// The server pulls: it calls ``read()`` when the connection can take more. After ``StreamChunk/wait`` it waits until
/// the stream calls the closure from ``start(wake:)``. A stream serves one connection; the server's calls never
/// overlap.
public protocol ResponseStream: AnyObject, Sendable {
    /// Called once, before the first ``read()``.
    ///
    /// - Parameter wake: A closure to call, from any thread, whenever bytes or the end become available. A superfluous
    ///   call, or one after ``closed(_:)``, is harmless. The closure never blocks for long and never calls the stream
    ///   back.
    func start(wake: @escaping @Sendable () -> Void)

    /// Returns the next bytes, or the reason why none are available. Must return soon.
    func read() -> StreamChunk

    /// Called once at the end of the stream, for any reason. No further call follows.
    func closed(_ reason: StreamEnd)
}

/// The result of ``ResponseStream/read()``.
public enum StreamChunk: Sendable, Equatable {
    /// At least one byte.
    case bytes([UInt8])
    /// No bytes are available yet; the stream wakes the server later.
    case wait
    /// The body is complete.
    case end
}

/// The reason for the end of a stream.
public enum StreamEnd: Sendable, Equatable {
    /// ``StreamChunk/end`` was sent.
    case completed
    /// The client closed the connection first.
    case disconnected
    /// The server stopped.
    case serverStopped
}
