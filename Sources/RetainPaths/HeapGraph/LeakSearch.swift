import CRetainPaths
import LifetimeTracer
import TracerBase

/// The leaks with addresses instead of names.
struct LeakSearch: Sendable {
    /// Leaks in which the same types hold each other in the same way.
    struct Entry: Sendable {
        var kind: HeapGraph.Leak.Kind
        /// The kind of the object at which the path begins, an `rp_node_kind`.
        var node: rp_node_kind
        var count: Int
        var objects: Int
        var bytes: Int
        /// The path of one of the leaks.
        var finding: HeapAnswer.Finding
    }

    var entries: [Entry] = []
    /// The leaks that had no entry left.
    var leftOut = 0
    /// The objects that could not be compared.
    var notCompared = 0
    var cost = RetainCost()
    var threads: [Int: String] = [:]
    /// The reason for which there is no result.
    var obstacle: String?

    /// Searches for leaks on the calling thread, which must be the search thread.
    ///
    /// The search looks twice, in two copies of the process. If the first look finds nothing, there is no second one.
    /// The census is useful without the leaks, so limits that do not suffice are an ``obstacle``.
    ///
    /// - Parameter betweenLooks: Called between the two looks, if there is a second one.
    /// - Throws: `CancellationError`.
    static func run(
        _ options: RetainPaths.Options, by askers: [AskingTask], within budget: inout SearchBudget,
        _ observer: SearchObserver, betweenLooks: () -> Void = {}
    ) throws -> LeakSearch {
        do {
            return try look(options, by: askers, within: &budget, observer, betweenLooks)
        } catch let error as RetainPathsError where error != .cancelled {
            var result = LeakSearch()
            result.obstacle = "\(error)"
            return result
        }
    }

    private static func look(
        _ options: RetainPaths.Options, by askers: [AskingTask], within budget: inout SearchBudget,
        _ observer: SearchObserver, _ betweenLooks: () -> Void
    ) throws -> LeakSearch {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        guard let memory = LeakMemory() else {
            let error = SystemError.last
            throw RetainPathsError.failed(
                reason: "not enough memory for the leaks: \(error). \(ProcessLimits.reason(for: error))")
        }
        var question = HeapQuestion(
            targets: .addresses([]), askers: askers, timeout: options.timeout, memoryLimit: options.memoryLimit)
        question.leaks = memory
        var search = try HeapSearch(question, observer: observer)
        memory.prepare(for: RP_LOOK_FIRST)
        var result = LeakSearch()
        result.cost = try search.run(within: &budget).cost
        try HeapAnswer.demandRoom()
        guard memory.notedCount > 0 else { return result }
        betweenLooks()
        memory.prepare(for: RP_LOOK_SECOND)
        let answer = try search.run(within: &budget)
        try HeapAnswer.demandRoom()
        result.cost = answer.cost
        result.threads = answer.threads
        result.entries = zip(memory.leaks, answer.findings).map { Entry($0, $1) }
        result.leftOut = Int(clamping: memory.leftOut.count)
        result.notCompared = memory.notNoted
        return result
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not supported.")
        #endif
    }
}

extension LeakSearch.Entry {
    fileprivate init(_ leak: rp_leak, _ finding: HeapAnswer.Finding) {
        let kind: HeapGraph.Leak.Kind =
            switch rp_leak_kind(UInt32(leak.kind)) {
            case RP_LEAK_CYCLE: .cycle
            case RP_LEAK_UNCERTAIN_CYCLE: .uncertainCycle
            default: .overRetained
            }
        self.init(
            kind: kind, node: rp_node_kind(UInt32(leak.node)), count: Int(clamping: leak.count),
            objects: Int(clamping: leak.objects), bytes: Int(clamping: leak.bytes), finding: finding)
    }
}

extension RetainCost {
    /// The cost of this search and of another one after it.
    func followed(by other: RetainCost) -> RetainCost {
        var sum = self
        sum.objects = max(objects, other.objects)
        sum.blocks = max(blocks, other.blocks)
        sum.pause = max(pause, other.pause)
        sum.total += other.total
        sum.rounds += other.rounds
        sum.copyBytes = max(copyBytes, other.copyBytes)
        sum.excludedWords = max(excludedWords, other.excludedWords)
        return sum
    }
}
