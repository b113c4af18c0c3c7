import LifetimeTracer
import RetainPaths

/// Searches the retain paths of leftover instances, with one search for all tests that ask at the same time.
///
/// Searches run one after the other. Questions that arrive during a search are batched, up to the capacity of one
/// search, and answered by the next.
enum HolderSearch {
    /// The result of a question.
    enum Answer: LockedState {
        case found(RetainReport)
        /// No result, with a one-line reason.
        case unknown(because: String)
    }

    /// The most instances of one question; further ones are listed without a path.
    static let instanceLimit = 256
    /// How long a test waits for its answer, including the searches of other tests.
    ///
    /// Long enough for an overloaded machine, because a finding without retain paths is of little use.
    static let patience = Duration.seconds(120)

    /// Asks a question and waits in a task.
    static func answer(to question: RetainQuestion) async -> Answer {
        let pending = ask(question)
        return result(of: pending, await pending.signal.wait(until: pending.deadline))
    }

    /// Asks a question and blocks the thread.
    static func answerBlocking(to question: RetainQuestion) -> Answer {
        let pending = ask(question)
        return result(of: pending, BlockingWait.wait(for: pending.signal, until: pending.deadline))
    }

    private static func result(of pending: Pending, _ outcome: Signal.Outcome) -> Answer {
        switch outcome {
        case .happened: pending.answer.withLock { $0 } ?? .unknown(because: "The search ended without a result.")
        case .timedOut: .unknown(because: "The search timed out after \(patience.inWords).")
        case .cancelled: .unknown(because: "The test was cancelled before the search ended.")
        }
    }

    /// A question and the signal on which its asker waits.
    private final class Pending: Sendable {
        let question: RetainQuestion
        let answer = Locked<Answer?>(nil)
        let signal = Signal()
        /// The time at which the asker stops waiting.
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
            // The search has a thread of its own, because the askers may block all threads of the cooperative pool.
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

    /// Answers questions until none is waiting.
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

    /// Takes as many questions as one search can answer and drops those whose asker no longer waits; `nil` if none is
    /// left.
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
