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

/// The cost of a search.
public struct RetainCost: Sendable, Hashable {
    /// The number of Swift objects in the heap.
    public var objects = 0
    /// The number of blocks of memory in the heap, including the objects.
    public var blocks = 0
    /// The time for which the program's memory map was locked to copy the process, in nanoseconds.
    ///
    /// It is the maximum over all rounds.
    public var pauseNanoseconds: UInt64 = 0
    /// The time from the question to the answer, in nanoseconds.
    ///
    /// It includes the naming and, for the first question, the self-check, but not the wait for earlier searches.
    public var totalNanoseconds: UInt64 = 0
    /// The number of copies of the process.
    ///
    /// It is more than one if the search met new types.
    public var rounds = 0
    /// The memory that a copy allocated for itself, in bytes.
    public var copyBytes: UInt64 = 0
}

extension RetainCost {
    /// Sets the total to the time since a start.
    mutating func setTotal(since start: ContinuousClock.Instant) {
        totalNanoseconds = UInt64((ContinuousClock.now - start) / .nanoseconds(1))
    }
}
