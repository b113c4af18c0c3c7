/// What one search found, for all instances that were asked for.
public struct RetainReport: Sendable {
    /// One for each instance, in the order of the question.
    public let explanations: [RetainExplanation]
    /// What the search cost.
    public internal(set) var cost: RetainCost
    /// The known leaks of the list whose date has passed: they silence no more.
    public let expiredLeaks: [KnownLeak]

    /// Creates a report from its parts.
    init(explanations: [RetainExplanation], cost: RetainCost = RetainCost(), expiredLeaks: [KnownLeak] = []) {
        self.explanations = explanations
        self.cost = cost
        self.expiredLeaks = expiredLeaks
    }

    /// How many of the instances each known leak explains.
    public var knownLeakCounts: [KnownLeak: Int] {
        explanations.reduce(into: [:]) { counts, explanation in
            if let known = explanation.known { counts[known, default: 0] += 1 }
        }
    }
}

/// What a search cost.
public struct RetainCost: Sendable, Hashable {
    /// Swift objects in the heap.
    public var objects = 0
    /// Blocks of memory in the heap, objects among them.
    public var blocks = 0
    /// How long the program's memory map was locked to copy the process, in nanoseconds: the longest of all rounds.
    public var pauseNanoseconds: UInt64 = 0
    /// From question to answer, in nanoseconds: the names, and at the first question the self-check, included; the wait for earlier searches not.
    public var totalNanoseconds: UInt64 = 0
    /// How often the process was copied: once, more often when types were met for the first time.
    public var rounds = 0
    /// The memory the copy needed for itself, in bytes.
    public var copyBytes: UInt64 = 0
}

extension RetainCost {
    /// Ends the measurement of the whole.
    mutating func setTotal(since start: ContinuousClock.Instant) {
        totalNanoseconds = UInt64((ContinuousClock.now - start) / .nanoseconds(1))
    }
}
