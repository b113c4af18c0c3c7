import LifetimeTracer
import RetainPaths

/// The facts of an unmet expectation; ``text`` puts them into words, the same for both test frameworks.
struct Finding: Sendable {
    /// Whether the finding fails the test.
    enum Weight: Sendable {
        case failure
        case warning
    }

    /// The finding in one line.
    var headline: String
    /// The expected state, and why it is expected.
    var expected: String?
    /// The instances concerned, oldest first.
    var instances: [InstanceRecord] = []
    /// The number of instances that the registry could not list.
    var unlisted = 0
    /// The tokens concerned, oldest first.
    var tokens: [TokenRecord] = []
    /// The retain paths of the instances, if they were searched.
    var holders: HolderSearch.Answer?
    /// The instances that the search did not find on the heap although they were still live after it.
    var inFrames: Set<InstanceID> = []
    /// The leaks of the heap, those with the most bytes first.
    var heapLeaks: [HeapGraph.Leak] = []
    /// Further notes, one per line.
    var notes: [String] = []
    var weight = Weight.failure
    /// Whether the text names only the first instance or token, because the test has failed for another reason.
    var isBrief = false
}

extension Finding {
    /// Adds the result of a retain path search.
    ///
    /// - Parameter registry: The registry that recorded the instances; it says which are live after the search.
    mutating func take(_ answer: HolderSearch.Answer, in registry: LifetimeRegistry) {
        holders = answer
        guard case .found(let report) = answer else { return }
        let missed = Set(report.explanations.lazy.filter { $0.status == .gone }.map(\.instance))
        guard !missed.isEmpty else { return }
        inFrames = Set(registry.snapshot().instances.lazy.map(\.id).filter(missed.contains))
    }
}
