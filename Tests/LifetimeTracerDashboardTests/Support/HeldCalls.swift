import LifetimeTracer
import RetainPaths

/// Work in frozen copies of the process that lasts until the test ends it.
final class HeldCalls<Question: Sendable, Answer: Sendable>: Sendable {
    /// One piece of work.
    struct Call: Sendable {
        let question: Question
        let progress: @Sendable (RetainPaths.Progress) -> Void
        fileprivate let continuation: CheckedContinuation<Answer, any Error>
        fileprivate let usual: @Sendable (Question) -> Answer

        /// Ends the work with a result.
        func finish(_ result: Result<Answer, any Error>) {
            continuation.resume(with: result)
        }

        /// Ends the work with the usual answer.
        func finish() {
            finish(.success(usual(question)))
        }
    }

    private struct State: LockedState {
        var calls: [Call] = []
        var isOver = false
        var cancellations = 0
    }

    private let state = Locked(State())
    private let usual: @Sendable (Question) -> Answer

    /// - Parameter usual: Returns the answer of work that ends without a given result.
    init(answering usual: @escaping @Sendable (Question) -> Answer) {
        self.usual = usual
    }

    /// Begins a piece of work, and waits until the test ends it.
    func answer(
        to question: Question, _ progress: @escaping @Sendable (RetainPaths.Progress) -> Void
    ) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                arrived(Call(question: question, progress: progress, continuation: continuation, usual: usual))
            }
        } onCancel: {
            state.withLock { $0.cancellations += 1 }
        }
    }

    /// The number of cancelled pieces of work.
    var cancellations: Int { state.withLock { $0.cancellations } }

    /// The number of pieces of work that have begun and that `next()` has not returned.
    var pendingCount: Int { state.withLock { $0.calls.count } }

    /// Waits for the next piece of work.
    func next() async throws -> Call {
        try await soon("a search or a capture begins") {
            state.withLock { $0.calls.isEmpty ? nil : $0.calls.removeFirst() }
        }
    }

    /// Ends all work, including work that begins later.
    func finishAll() {
        let calls = state.withLock { state in
            state.isOver = true
            defer { state.calls = [] }
            return state.calls
        }
        for call in calls { call.finish() }
    }

    private func arrived(_ call: Call) {
        let isOver = state.withLock { state in
            if !state.isOver { state.calls.append(call) }
            return state.isOver
        }
        if isOver { call.finish() }
    }
}
