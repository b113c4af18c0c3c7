#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Restores the terminal when a signal ends or stops the program, and redraws it when the size changes.
struct TerminalSignals: Sendable {
    private let sources: SignalSources

    /// Installs the handlers.
    ///
    /// Control-C and SIGTERM restore the terminal and end the program with success. Control-Z restores the terminal and
    /// stops the program until it is continued. A change of size redraws the screen.
    init(_ screen: TerminalScreen) {
        sources = SignalSources([
            SIGINT: { Self.end(screen) }, SIGTERM: { Self.end(screen) }, SIGTSTP: { Self.stop(screen) },
            SIGCONT: { Self.goOn(screen) }, SIGWINCH: { try? screen.redraw() },
        ])
    }

    private static func end(_ screen: TerminalScreen) {
        screen.leave()
        ExitCode.success.end()
    }

    private static func stop(_ screen: TerminalScreen) {
        screen.leave()
        // Must be the last call: another thread may receive the signal, and this thread would run on for a while.
        kill(getpid(), SIGSTOP)
    }

    private static func goOn(_ screen: TerminalScreen) {
        screen.enter()
        try? screen.redraw()
    }
}
