/// The result of one search, for all requested instances.
public struct RetainReport: Sendable {
    /// One explanation for each instance, in the order of the question.
    public let explanations: [RetainExplanation]
    /// The cost of the search.
    public internal(set) var cost: RetainCost
    /// The known leaks whose last day has passed.
    ///
    /// Their leaks are reported again.
    public let expiredLeaks: [KnownLeak]

    /// Creates a report from its parts.
    init(explanations: [RetainExplanation], cost: RetainCost = RetainCost(), expiredLeaks: [KnownLeak] = []) {
        self.explanations = explanations
        self.cost = cost
        self.expiredLeaks = expiredLeaks
    }

    /// The number of instances for each known leak.
    public var knownLeakCounts: [KnownLeak: Int] {
        explanations.reduce(into: [:]) { counts, explanation in
            if let known = explanation.known { counts[known, default: 0] += 1 }
        }
    }
}
