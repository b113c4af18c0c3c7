import CMicroHTTPD
import LifetimeTracerDashboard

/// One stream on one connection, from the answer's first byte to its end.
///
/// `@unchecked Sendable` is safe because the variables are touched by the daemon's thread only; other threads reach the
/// session through its gate.
final class StreamSession: @unchecked Sendable {
    /// The way other threads take to the connection.
    let gate: ConnectionGate

    private let stream: any ResponseStream
    private var started = false
    private var ended = false
    private var chunk: [UInt8] = []
    private var sent = 0

    /// Creates a session; the stream is not called yet.
    init(_ stream: any ResponseStream, connection: OpaquePointer) {
        self.stream = stream
        gate = ConnectionGate(connection: connection)
    }

    /// Fills `buffer` for libmicrohttpd: the count, 0 after suspending, or the end of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if sent == chunk.count {
            if let end = nextChunk() { return end }
        }
        let count = min(buffer.count, chunk.count - sent)
        chunk.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<(sent + count)]))
        }
        sent += count
        return count
    }

    /// Tells the stream that it is over.
    ///
    /// To be called once, when the connection is done with the answer.
    func finish(_ code: MHD_RequestTerminationCode) {
        let closing = gate.finish()
        let wasSentWhole = code == .REQUEST_TERMINATED_COMPLETED_OK && closing != .disconnected
        if wasSentWhole && (ended || (!started && closing == nil)) {
            // Not started: a `HEAD` request, for which the head was all there was to send.
            stream.closed(.completed)
        } else if closing == .serverStopped || code == .REQUEST_TERMINATED_DAEMON_SHUTDOWN {
            stream.closed(.serverStopped)
        } else {
            stream.closed(.disconnected)
        }
    }

    /// Gets the next bytes into `chunk`, or returns what to tell libmicrohttpd instead.
    private func nextChunk() -> Int? {
        // A peer that is gone, or a server that stops: in both cases the orderly end is the right one, as a peer that
        // has only shut its sending side still reads it.
        if gate.willRead() != nil { return StreamResult.end }
        if !started {
            started = true
            // The closure holds the gate, which does not hold the stream: so there is no cycle through the stream.
            stream.start { [gate] in gate.wake() }
        }
        switch stream.read() {
        case .bytes(let bytes):
            chunk = bytes
            sent = 0
            guard bytes.isEmpty else { return nil }
            // Against the contract; to ask again later is better than to spin or to hang.
            gate.wake()
            gate.suspend()
            return StreamResult.wait
        case .wait:
            chunk = []
            sent = 0
            gate.suspend()
            return StreamResult.wait
        case .end:
            ended = true
            return StreamResult.end
        }
    }
}

/// What a content reader tells libmicrohttpd apart from a count of bytes.
private enum StreamResult {
    static let end = Int(MHD_CONTENT_READER_END_OF_STREAM)
    static let wait = 0
}
