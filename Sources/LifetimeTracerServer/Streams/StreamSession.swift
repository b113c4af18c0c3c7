import CTracerMicroHTTPD
import LifetimeTracerDashboard

/// One stream on one connection, from the response's first byte to its end.
///
/// `@unchecked Sendable` is safe because only the daemon's thread accesses the variables; other threads reach the
/// session through `connection`.
final class StreamSession: @unchecked Sendable {
    /// Other threads suspend and resume the connection through this handle.
    let connection: SuspendableConnection

    private let stream: any ResponseStream
    private var started = false
    private var ended = false
    private var chunk: [UInt8] = []
    private var sent = 0

    /// Creates a session, without calling the stream yet.
    init(_ stream: any ResponseStream, connection: OpaquePointer, loss: DescriptorLoss) {
        self.stream = stream
        self.connection = SuspendableConnection(connection: connection, loss: loss)
    }

    /// Fills `buffer` for libmicrohttpd; returns the number of bytes, 0 after suspending, or the end of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if sent == chunk.count {
            if let end = nextChunk() { return end }
        }
        // Neither the buffer nor the chunk has fewer bytes.
        let count = min(buffer.count, chunk.count - sent)
        chunk.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<(sent + count)]))
        }
        sent += count
        return count
    }

    /// Tells the stream that it is over.
    ///
    /// Must be called once, when the connection is done with the response.
    func finish(_ code: MHD_RequestTerminationCode) {
        let closing = connection.finish()
        let wasSentWhole = code == .REQUEST_TERMINATED_COMPLETED_OK && closing != .disconnected
        if wasSentWhole && (ended || (!started && closing == nil)) {
            // A stream that never started belongs to a `HEAD` request, whose response is only the head.
            stream.closed(.completed)
        } else if closing == .serverStopped || code == .REQUEST_TERMINATED_DAEMON_SHUTDOWN {
            stream.closed(.serverStopped)
        } else {
            stream.closed(.disconnected)
        }
    }

    /// Fetches the next bytes into `chunk`, or returns the code to pass to libmicrohttpd instead.
    private func nextChunk() -> Int? {
        // The peer has disconnected or the server is stopping. An orderly end is right in both cases, because a peer
        // that has closed only its sending side still reads it.
        if connection.willRead() != nil { return StreamResult.end }
        if !started {
            started = true
            // The closure retains the handle, which does not retain the stream, so there is no retain cycle through the
            // stream.
            stream.start { [connection] in connection.wake() }
        }
        switch stream.read() {
        case .bytes(let bytes):
            chunk = bytes
            sent = 0
            guard bytes.isEmpty else { return nil }
            // This violates the contract of `read`. Asking again later is better than spinning or hanging.
            connection.wake()
            connection.suspend()
            return StreamResult.wait
        case .wait:
            chunk = []
            sent = 0
            connection.suspend()
            return StreamResult.wait
        case .end:
            ended = true
            return StreamResult.end
        }
    }
}

/// The codes by which a content reader answers libmicrohttpd instead of a byte count.
private enum StreamResult {
    static let end = Int(MHD_CONTENT_READER_END_OF_STREAM)
    static let wait = 0
}
