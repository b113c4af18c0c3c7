/// A body that comes over time.
///
/// The server pulls: it calls ``read()`` when the connection can take more, and waits after ``StreamChunk/wait`` until the
/// stream calls the closure it was given in ``start(wake:)``. A stream serves one connection; all calls come one at a time.
public protocol ResponseStream: AnyObject, Sendable {
    /// Called once, before the first ``read()``.
    ///
    /// - Parameter wake: To be called, from any thread, whenever bytes or the end have become available. Calling it too
    ///   often, or after ``closed(_:)``, is harmless. It never blocks for long and never calls the stream back.
    func start(wake: @escaping @Sendable () -> Void)

    /// The next bytes, or why there are none. Must return soon.
    func read() -> StreamChunk

    /// Called once when the stream is over, however it ended. No call follows.
    func closed(_ reason: StreamEnd)
}

/// What a stream has to give now.
public enum StreamChunk: Sendable, Equatable {
    /// These bytes, at least one.
    case bytes([UInt8])
    /// Nothing yet: the stream wakes the server when there is.
    case wait
    /// The body is complete.
    case end
}

/// Why a stream is over.
public enum StreamEnd: Sendable, Equatable {
    /// ``StreamChunk/end`` was sent.
    case completed
    /// The other side went away first.
    case disconnected
    /// The server stopped.
    case serverStopped
}
