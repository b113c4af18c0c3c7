#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Waits for SIGINT (Control-C) or SIGTERM (`kill`).
final class StopSignal: Sendable {
    private let sources: SignalSources
    private let stream: AsyncStream<Int32>

    /// Installs handlers: from now on, SIGINT and SIGTERM do not end the program, and neither does SIGPIPE after the
    /// reader of standard output has closed the pipe.
    init() {
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        sources = SignalSources([SIGINT: { continuation.yield(SIGINT) }, SIGTERM: { continuation.yield(SIGTERM) }])
    }

    /// Returns at the first signal, or at once if a signal has arrived already.
    func wait() async {
        for await _ in stream { return }
    }
}
