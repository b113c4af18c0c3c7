import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Waits to be told to stop: by Control-C or by `kill`.
///
/// `@unchecked Sendable` is safe because the sources are only held, from here to the end of the program.
final class StopSignal: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]
    private let stream: AsyncStream<Int32>

    /// From now on SIGINT and SIGTERM no longer end the program by themselves, and neither does a reader of standard output
    /// that has gone.
    init() {
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would come first and end the program.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.activate()
            return source
        }
    }

    /// Returns at the first of the signals; at once if it has come already.
    func wait() async {
        for await _ in stream { return }
    }
}
