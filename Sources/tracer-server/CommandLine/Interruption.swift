import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The first SIGINT (Control-C) or SIGTERM, which cancels the command's task instead of ending the program.
///
/// The command can then clean up in the traced program. A second signal ends this program at once, because the traced
/// program may not respond.
final class Interruption: Sendable {
    private struct State: LockedState {
        var code: ExitCode?
        var cancel: Action?
    }

    private let state: Locked<State>
    private let sources: SignalSources

    /// Installs the handlers.
    init() {
        let state = Locked(State())
        self.state = state
        sources = SignalSources([
            SIGINT: { Self.receive(.interrupted, state) }, SIGTERM: { Self.receive(.terminated, state) },
        ])
    }

    /// The exit code for the first signal; `nil` if there was none.
    var code: ExitCode? { state.withLock { $0.code } }

    /// Cancels a task at the first signal, or at once if a signal has arrived already.
    func cancel<Value: Sendable>(_ work: Task<Value, Never>) {
        let isLate = state.withLock { state in
            state.cancel = Action { work.cancel() }
            return state.code != nil
        }
        // Cancelled outside the lock, because cancelling a task runs the task's cancellation handlers.
        if isLate { work.cancel() }
    }

    private static func receive(_ code: ExitCode, _ state: Locked<State>) {
        let (isFirst, cancel) = state.withLock { state in
            defer { state.code = state.code ?? code }
            return (state.code == nil, state.cancel)
        }
        guard isFirst else { code.end() }
        cancel?()
    }
}
