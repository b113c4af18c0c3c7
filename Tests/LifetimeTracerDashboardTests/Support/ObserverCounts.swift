@testable import LifetimeTracer

extension LifetimeRegistry {
    var sampleObserverCount: Int { history.withLock { $0.observers.count } }

    var verdictObserverCount: Int { verdicts.withLock { $0.observers.count } }
}
