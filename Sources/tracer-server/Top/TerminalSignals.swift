import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Keeps a terminal as it should be when a signal ends, stops or resizes the program.
///
/// `@unchecked Sendable` is safe because the sources are only held, from here to the end of the program.
final class TerminalSignals: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]

    /// From now on Control-C and SIGTERM restore the terminal and end the program with success, Control-Z restores it
    /// and stops the program, and a new size draws the screen anew.
    init(_ screen: TerminalScreen) {
        sources = [
            Self.source(SIGINT) { Self.end(screen) }, Self.source(SIGTERM) { Self.end(screen) },
            Self.source(SIGTSTP) { Self.stop(screen) },
            Self.source(SIGWINCH) { try? screen.redraw() },
        ]
    }

    private static func source(_ number: Int32, _ action: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        // The default action would come first.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: action)
        source.activate()
        return source
    }

    private static func end(_ screen: TerminalScreen) {
        screen.leave()
        ExitCode.success.end()
    }

    private static func stop(_ screen: TerminalScreen) {
        screen.leave()
        kill(getpid(), SIGSTOP)
        // Somebody has continued it.
        screen.enter()
        try? screen.redraw()
    }
}
