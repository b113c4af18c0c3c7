import LifetimeTracer
import Patience

@testable import LifetimeTracerDashboard
@testable import RetainPaths

/// An explainer whose searches last until the test ends them.
typealias HeldExplainer = HeldCalls<[InstanceID], RetainReport>

extension HeldCalls where Question == [InstanceID], Answer == RetainReport {
    convenience init() {
        self.init { RetainReport(explanations: $0.map(RetainExplanation.madeUp)) }
    }

    var explainer: RetainExplainer {
        RetainExplainer { [self] ids, _, progress in try await answer(to: ids, progress) }
    }
}

extension HeldCalls.Call where Question == [InstanceID], Answer == RetainReport {
    var ids: [InstanceID] { question }

    /// Ends the search with an explanation of each instance.
    func finish(_ explain: (InstanceID) -> RetainExplanation) {
        finish(.success(RetainReport(explanations: ids.map(explain))))
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
