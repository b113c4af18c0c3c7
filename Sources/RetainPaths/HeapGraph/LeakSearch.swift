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
        /// The instances of classes that only the leaks hold, without those of the cycles.
        var victims: [rp_victims]
        /// The path of one of the leaks.
        var finding: HeapAnswer.Finding
    }

    var entries: [Entry] = []
    /// The leaks that had no entry left.
    var leftOut = 0
    /// The cycles among them.
    var leftOutCycles = 0
    /// The objects that could not be compared.
    var notCompared = 0
    var cost = RetainCost()
    var threads: [Int: String] = [:]
    /// The numbers of all threads at the first look.
    var threadNumbers: [Int32] = []
    /// The reason for which there is no result.
    var obstacle: String?

    /// Searches for leaks on the calling thread, which must be the search thread.
    ///
    /// The search looks twice, in two copies of the process. If the first look finds nothing, there is no second one.
    /// If the second look finds objects that may be in use, there are more looks: a thread that does the same again and
    /// again holds equal objects at the same addresses in its registers.
    ///
    /// The census is useful without the leaks, so limits that do not suffice are an ``obstacle``.
    ///
    /// - Parameters:
    ///   - retained: The memory for retained sizes, which the first look fills; also if the second look fails.
    ///   - tasks: The memory for tasks, which the first look fills.
    ///   - betweenLooks: Called before each look but the first.
    /// - Throws: `CancellationError`.
    static func run(
        _ options: RetainPaths.Options, by askers: [AskingTask], within budget: inout SearchBudget,
        _ observer: SearchObserver, retained: RetainedMemory? = nil, tasks: TaskMemory? = nil,
        betweenLooks: () -> Void = {}
    ) throws -> LeakSearch {
        var result = LeakSearch()
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        // For the frames below: an earlier search on this thread has left addresses on the stack.
        SearchThread.clearUnusedStack()
        #endif
        do {
            try result.look(options, by: askers, within: &budget, observer, retained, tasks, betweenLooks)
            return result
        } catch let error as RetainPathsError where error != .cancelled {
            result.obstacle = "\(error)"
            return result
        }
    }

    /// Computes the retained sizes alone, on the calling thread, which must be the search thread.
    ///
    /// The first look at the leaks computes them, so there is no second one.
    static func measure(
        _ retained: RetainedMemory, _ options: RetainPaths.Options, by askers: [AskingTask],
        within budget: inout SearchBudget, _ observer: SearchObserver
    ) throws {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        let memory = try leakMemory()
        memory.prepare(for: RP_LOOK_FIRST)
        var question = question(options, by: askers)
        question.leaks = memory
        question.retained = retained
        var search = try HeapSearch(question, observer: observer)
        _ = try search.run(within: &budget)
        try HeapAnswer.demandRoom()
        #endif
    }

    private static func leakMemory() throws -> LeakMemory {
        if let memory = LeakMemory() { return memory }
        let error = SystemError.last
        throw RetainPathsError.failed(
            reason: "not enough memory for the leaks: \(error). \(ProcessLimits.reason(for: error))")
    }

    private static func question(_ options: RetainPaths.Options, by askers: [AskingTask]) -> HeapQuestion {
        HeapQuestion(
            targets: .addresses([]), askers: askers, timeout: options.timeout, memoryLimit: options.memoryLimit)
    }

    /// The number of looks beside the two that every leak is compared in.
    private static let furtherLooks = 2

    private mutating func look(
        _ options: RetainPaths.Options, by askers: [AskingTask], within budget: inout SearchBudget,
        _ observer: SearchObserver, _ retained: RetainedMemory?, _ tasks: TaskMemory?, _ betweenLooks: () -> Void
    ) throws {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        let memory = try Self.leakMemory()
        var question = Self.question(options, by: askers)
        question.leaks = memory
        question.retained = retained
        question.tasks = tasks
        var search = try HeapSearch(question, observer: observer)
        memory.prepare(for: RP_LOOK_FIRST)
        let first = try search.run(within: &budget)
        cost = first.cost
        threadNumbers = first.threadNumbers
        try HeapAnswer.demandRoom()
        let unreachedTasks = tasks?.pointer.pointee.unreached_count ?? 0
        guard memory.notedCount > 0 || unreachedTasks > 0 else { return }
        search.question.retained = nil
        for _ in 0...Self.furtherLooks {
            betweenLooks()
            memory.prepare(for: RP_LOOK_SECOND)
            // For the frames below: the earlier looks have left addresses on the stack.
            SearchThread.clearUnusedStack()
            let answer = try search.run(within: &budget)
            try HeapAnswer.demandRoom()
            let copyBytes = cost.copyBytes
            cost = answer.cost
            cost.copyBytes = max(copyBytes, cost.copyBytes)
            threads = answer.threads
            entries = zip(memory.leaks, answer.findings).map { Entry($0.leak, $0.victims, $1) }
            if entries.allSatisfy({ $0.kind == .cycle }) { break }
        }
        leftOut = Int(clamping: memory.leftOut.count)
        leftOutCycles = Int(clamping: memory.leftOutCycles)
        notCompared = memory.notNoted
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not supported.")
        #endif
    }
}

extension LeakSearch.Entry {
    fileprivate init(_ leak: rp_leak, _ victims: [rp_victims], _ finding: HeapAnswer.Finding) {
        let kind: HeapGraph.Leak.Kind =
            switch rp_leak_kind(UInt32(leak.kind)) {
            case RP_LEAK_CYCLE: .cycle
            case RP_LEAK_UNCERTAIN_CYCLE: .uncertainCycle
            default: .overRetained
            }
        self.init(
            kind: kind, node: rp_node_kind(UInt32(leak.node)), count: Int(clamping: leak.count),
            objects: Int(clamping: leak.objects), bytes: Int(clamping: leak.bytes), victims: victims, finding: finding)
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
