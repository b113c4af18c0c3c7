import LifetimeTracer
import RetainPaths

/// A one-time event that one task or one thread can wait for.
///
/// The event wakes the waiter; nothing polls.
final class Signal: Sendable {
    /// How a wait ended.
    enum Outcome: Sendable {
        case happened
        case timedOut
        /// The waiting task was cancelled.
        case cancelled
    }

    private struct State: LockedState {
        var outcome: Outcome?
        var waiter: HiddenContinuation<Outcome, Never>?
        var action: Action?
    }

    private let state = Monitor(State())

    /// Fires the signal; further calls do nothing.
    func fire() {
        end(.happened)
    }

    /// Waits in a task until the signal fires or the deadline passes.
    func wait(until deadline: ContinuousClock.Instant) async -> Outcome {
        if let outcome = state.withLock({ $0.outcome }) { return outcome }
        let timer = Task.detached { [self] in
            do {
                try await Task.sleep(until: deadline, clock: .continuous)
                end(.timedOut)
            } catch {
                // The timer was cancelled because the wait is over.
            }
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let waiter = HiddenContinuation(continuation)
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiter = waiter }
                    return state.outcome
                }
                if let outcome { waiter.resume(with: .success(outcome)) }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    /// Blocks the thread until the signal fires or the deadline passes.
    func waitBlocking(until deadline: ContinuousClock.Instant) -> Outcome {
        state.wait { state in
            if let outcome = state.outcome { return .holds(outcome) }
            let left = deadline - .now
            return left > .zero ? .waits(atMost: left) : .holds(.timedOut)
        }
    }

    /// Runs an action when the signal fires or the wait for it ends, or at once if that has happened.
    func whenFired(_ action: @escaping @Sendable () -> Void) {
        let hasHappened = state.withLock { state in
            if state.outcome == nil { state.action = Action(action) }
            return state.outcome != nil
        }
        if hasHappened { action() }
    }

    private func end(_ outcome: Outcome) {
        let ended = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { (state.waiter, state.action) = (nil, nil) }
            return state
        }
        ended?.waiter?.resume(with: .success(outcome))
        ended?.action?()
    }
}
