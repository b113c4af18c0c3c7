import LifetimeTracer
import Patience

@testable import LifetimeTracerDashboard
@testable import RetainPaths

/// An explainer whose searches last until the test ends them.
final class HeldExplainer: Sendable {
    /// One search.
    struct Call: Sendable {
        let ids: [InstanceID]
        let progress: @Sendable (RetainPaths.Progress) -> Void
        fileprivate let continuation: CheckedContinuation<RetainReport, any Error>

        func finish(_ result: Result<RetainReport, any Error>) {
            continuation.resume(with: result)
        }

        /// Ends the search with an explanation of each instance.
        func finish(_ explain: (InstanceID) -> RetainExplanation = RetainExplanation.madeUp) {
            finish(.success(RetainReport(explanations: ids.map(explain))))
        }
    }

    private struct State: LockedState {
        var calls: [Call] = []
        var isOver = false
        var cancellations = 0
    }

    private let state = Locked(State())

    var explainer: RetainExplainer {
        RetainExplainer { [self] ids, _, progress in
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    arrived(Call(ids: ids, progress: progress, continuation: continuation))
                }
            } onCancel: {
                state.withLock { $0.cancellations += 1 }
            }
        }
    }

    /// The number of cancelled searches.
    var cancellations: Int { state.withLock { $0.cancellations } }

    /// The number of searches that have begun and that `next()` has not returned.
    var pendingCount: Int { state.withLock { $0.calls.count } }

    /// Waits for the next search.
    func next() async throws -> Call {
        try await soon("a search begins") {
            state.withLock { $0.calls.isEmpty ? nil : $0.calls.removeFirst() }
        }
    }

    /// Ends all searches, including those that begin later.
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

extension Bench {
    /// The final response to a request, which is repeated until the search is over.
    func answer(_ target: String) async throws -> HTTPResponse {
        try await soon("an answer to \(target)") {
            let response = get(target)
            return response.status == 202 ? nil : response
        }
    }
}

/// A value that did not appear in time.
struct NotInTime: Error {
    let what: String
}

/// Polls until there is a value; throws if there is none within ``Patience/limit``.
func soon<Value>(_ what: String, _ look: () -> Value?) async throws -> Value {
    let end = ContinuousClock.now + Patience.limit
    while true {
        if let value = look() { return value }
        guard ContinuousClock.now < end else { throw NotInTime(what: what) }
        await Task.yield()
    }
}
