import LifetimeTracer
import RetainPaths

extension RetainReport: LockedState {}

/// Searches the retain paths of leftover instances, with one search for all tests that ask at the same time.
///
/// Searches run one after the other. Questions that arrive during a search are batched, up to the capacity of one
/// search, and answered by the next.
enum HolderSearch {
    /// The result of a question.
    typealias Answer = PendingAnswer<RetainReport>.Outcome

    /// The most instances of one question; further ones are listed without a path.
    static let instanceLimit = 256
    /// How long a test waits for its answer, including the searches of other tests.
    ///
    /// A finding without retain paths is of little use, so the limit is only for a search that never ends. On an
    /// overloaded machine, the searches of other tests have taken more than five minutes.
    static let patience = Duration.seconds(1800)
    /// The processor time that one search may take.
    static let searchLimit = Duration.seconds(120)

    /// Asks a question and waits in a task.
    static func answer(to question: RetainQuestion) async -> Answer {
        await ask(question).wait()
    }

    /// Asks a question and blocks the thread.
    static func answerBlocking(to question: RetainQuestion) -> Answer {
        ask(question).waitBlocking()
    }

    /// A question and its awaited answer.
    private struct Pending: LockedState {
        let question: RetainQuestion
        let answer = PendingAnswer<RetainReport>(patience: patience)
    }

    private struct State: LockedState {
        var waiting: [Pending] = []
        var isSearching = false
    }

    private static let state = Locked(State())

    private static func ask(_ question: RetainQuestion) -> PendingAnswer<RetainReport> {
        let pending = Pending(question: question)
        let starts = state.withLock { state in
            state.waiting.append(pending)
            defer { state.isSearching = true }
            return !state.isSearching
        }
        guard starts else { return pending.answer }
        do throws(RetainPathsError) {
            // The search has a thread of its own, because the askers may block all threads of the cooperative pool.
            try SearchExecutor.shared.detach { await search() }
        } catch {
            let batch = state.withLock { state in
                defer { state = State() }
                return state.waiting
            }
            for pending in batch { pending.answer.finish(.unknown(because: "\(error)")) }
        }
        return pending.answer
    }

    /// Answers questions until none is waiting.
    private static func search() async {
        while let batch = nextBatch() {
            do {
                var options = RetainPaths.Options()
                options.timeout = searchLimit
                let reports = try await RetainPaths.explain(together: batch.map(\.question), options: options)
                for (pending, report) in zip(batch, reports) { pending.answer.finish(.found(report)) }
            } catch {
                for pending in batch { pending.answer.finish(.unknown(because: "\(error)")) }
            }
        }
    }

    /// Takes as many questions as one search can answer and drops those whose asker no longer waits; `nil` if none is
    /// left.
    private static func nextBatch() -> [Pending]? {
        state.withLock { state in
            let now = ContinuousClock.now
            state.waiting.removeAll { $0.answer.deadline < now }
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
