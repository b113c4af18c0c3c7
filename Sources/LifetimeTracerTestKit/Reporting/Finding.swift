import LifetimeTracer
import RetainPaths

/// What a test did not expect, in facts; ``text`` says it in words, the same for both frameworks.
struct Finding: Sendable {
    /// Whether the test fails by it.
    enum Weight: Sendable {
        case failure
        case warning
    }

    /// What was found, in a line.
    var headline: String
    /// What was expected instead, and why.
    var expected: String?
    /// The instances that are meant, oldest first.
    var instances: [InstanceRecord] = []
    /// Instances that the registry had no room to list.
    var unlisted: UInt64 = 0
    /// The tokens that are meant, oldest first.
    var tokens: [TokenRecord] = []
    /// Who holds the instances, if that was asked.
    var holders: HolderSearch.Answer?
    /// Those of the instances that were live when the answer had come, though they were nowhere on the heap.
    var inFrames: Set<InstanceID> = []
    /// What else is worth a line.
    var notes: [String] = []
    var weight = Weight.failure
}

extension Finding {
    /// Takes in who holds the instances.
    ///
    /// - Parameter registry: Where they were recorded; tells which are live after the search.
    mutating func take(_ answer: HolderSearch.Answer, in registry: LifetimeRegistry) {
        holders = answer
        guard case .found(let report) = answer else { return }
        let missed = Set(report.explanations.lazy.filter { $0.status == .gone }.map(\.instance))
        guard !missed.isEmpty else { return }
        inFrames = Set(registry.snapshot().instances.lazy.map(\.id).filter(missed.contains))
    }
}
