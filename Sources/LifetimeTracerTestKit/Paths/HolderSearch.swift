import LifetimeTracer
import RetainPaths

/// Who holds what is left: a copy of the process answers for all tests that ask at the same time.
///
/// Searches take turns; who asks while one goes on is answered together with all others who do, as far as one search can, by the
/// next.
enum HolderSearch {
    /// What came of a question.
    enum Answer: LockedState {
        case found(RetainReport)
        /// In a line: why there is none.
        case unknown(because: String)
    }

    /// The most instances of one question; those past it are listed without a path.
    static let instanceLimit = 256
    /// How long anybody waits for an answer, others' searches included: longer than a machine takes that has far more to do than
    /// processors, as an answer without who holds it is of little worth.
    static let patience = Duration.seconds(120)

    /// Asks, and waits in a task.
    static func answer(to question: RetainQuestion) async -> Answer {
        let pending = ask(question)
        return result(of: pending, await pending.signal.wait(until: pending.deadline))
    }

    /// Asks, and blocks the thread.
    static func answerBlocking(to question: RetainQuestion) -> Answer {
        let pending = ask(question)
        return result(of: pending, BlockingWait.wait(for: pending.signal, until: pending.deadline))
    }

    private static func result(of pending: Pending, _ outcome: Signal.Outcome) -> Answer {
        switch outcome {
        case .happened: pending.answer.withLock { $0 } ?? .unknown(because: "The search ended without an answer.")
        case .timedOut: .unknown(because: "The search was given up after \(patience.inWords).")
        case .cancelled: .unknown(because: "The test was cancelled before the search had ended.")
        }
    }

    /// A question, and who waits for its answer.
    private final class Pending: Sendable {
        let question: RetainQuestion
        let answer = Locked<Answer?>(nil)
        let signal = Signal()
        /// When nobody waits for the answer any more.
        let deadline = ContinuousClock.now + patience

        init(_ question: RetainQuestion) { self.question = question }

        func finish(_ answer: Answer) {
            self.answer.withLock { $0 = answer }
            signal.fire()
        }
    }

    private struct State: LockedState {
        var waiting: [Pending] = []
        var isSearching = false
    }

    private static let state = Locked(State())

    private static func ask(_ question: RetainQuestion) -> Pending {
        let pending = Pending(question)
        let starts = state.withLock { state in
            state.waiting.append(pending)
            defer { state.isSearching = true }
            return !state.isSearching
        }
        guard starts else { return pending }
        do throws(RetainPathsError) {
            // On a thread of its own: those of all tasks may be blocked by the very ones who ask.
            let hold = try SearchExecutor.shared.hold()
            Task.detached(executorPreference: SearchExecutor.shared) {
                await search()
                withExtendedLifetime(hold) {}
            }
        } catch {
            let batch = state.withLock { state in
                defer { state = State() }
                return state.waiting
            }
            for pending in batch { pending.finish(.unknown(because: "\(error)")) }
        }
        return pending
    }

    /// Answers until nobody asks any more.
    private static func search() async {
        while let batch = nextBatch() {
            do {
                var options = RetainPaths.Options()
                options.timeout = patience
                let reports = try await RetainPaths.explain(together: batch.map(\.question), options: options)
                for (pending, report) in zip(batch, reports) { pending.finish(.found(report)) }
            } catch {
                for pending in batch { pending.finish(.unknown(because: "\(error)")) }
            }
        }
    }

    /// As many questions as one search answers, and none that nobody waits for; `nil` when there is none.
    private static func nextBatch() -> [Pending]? {
        state.withLock { state in
            let now = ContinuousClock.now
            state.waiting.removeAll { $0.deadline < now }
            state.isSearching = !state.waiting.isEmpty
            guard state.isSearching else { return nil }
            var room = RetainQuestion.mostInstancesTogether
            let batch = state.waiting.prefix { pending in
                room -= pending.question.ids.count
                return room >= 0
            }
            state.waiting.removeFirst(batch.count)
            return Array(batch)
        }
    }
}
