#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Keeps a terminal as it should be when a signal ends, stops or resizes the program.
struct TerminalSignals: Sendable {
    private let sources: SignalSources

    /// From now on Control-C and SIGTERM restore the terminal and end the program with success, Control-Z restores it
    /// and stops the program until it is continued, and a new size draws the screen anew.
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
        // Not to be followed by anything: another thread may take the signal, and this one would run on for a while.
        kill(getpid(), SIGSTOP)
    }

    private static func goOn(_ screen: TerminalScreen) {
        screen.enter()
        try? screen.redraw()
    }
}
