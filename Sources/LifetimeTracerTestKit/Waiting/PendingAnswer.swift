import LifetimeTracer

/// The answer of a search, for which one task or one thread waits.
final class PendingAnswer<Value: LockedState>: Sendable {
    /// An answer, or the reason in one line for which there is none.
    enum Outcome: LockedState {
        case found(Value)
        case unknown(because: String)
    }

    private let outcome = Locked<Outcome?>(nil)
    private let signal = Signal()
    private let patience: Duration
    /// The time at which the asker stops waiting.
    let deadline: ContinuousClock.Instant

    /// Creates the answer that is awaited from now on.
    init(patience: Duration) {
        self.patience = patience
        deadline = .now + patience
    }

    /// Ends the wait.
    func finish(_ outcome: Outcome) {
        self.outcome.withLock { $0 = outcome }
        signal.fire()
    }

    /// Waits in a task.
    func wait() async -> Outcome {
        result(await signal.wait(until: deadline))
    }

    /// Blocks the thread.
    func waitBlocking() -> Outcome {
        result(BlockingWait.wait(for: signal, until: deadline))
    }

    private func result(_ ending: Signal.Outcome) -> Outcome {
        switch ending {
        case .happened: outcome.withLock { $0 } ?? .unknown(because: "The search ended without a result.")
        case .timedOut: .unknown(because: "The search timed out after \(patience.inWords).")
        case .cancelled: .unknown(because: "The test was cancelled before the search ended.")
        }
    }
}
