#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Waits to be told to stop: by Control-C or by `kill`.
final class StopSignal: Sendable {
    private let sources: SignalSources
    private let stream: AsyncStream<Int32>

    /// From now on SIGINT and SIGTERM no longer end the program by themselves, and neither does a reader of standard output
    /// that has gone.
    init() {
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        sources = SignalSources([SIGINT: { continuation.yield(SIGINT) }, SIGTERM: { continuation.yield(SIGTERM) }])
    }

    /// Returns at the first of the signals; at once if it has come already.
    func wait() async {
        for await _ in stream { return }
    }
}
