import CRetainPaths
import LifetimeTracer
import TracerBase

extension HeapAnswer {
    /// Searches for the targets on the search thread, after the searches that were requested earlier.
    ///
    /// - Parameter askers: The tasks that await the answer.
    /// - Throws: ``RetainPathsError``, or `CancellationError`.
    static func search(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], options: RetainPaths.Options,
        progress: @escaping @Sendable (RetainPaths.Progress) -> Void = { _ in }
    ) async throws -> HeapAnswer {
        try await RetainPaths.onSearchThread { isCancelled in
            try searchHere(
                targets, by: askers, options: options, SearchObserver(progress: progress, isCancelled: isCancelled))
        }
    }

    /// Searches for the targets on the calling thread, which must be the search thread.
    ///
    /// - Parameter tasks: The memory for a list of the tasks, if one is wanted.
    /// - Throws: ``RetainPathsError``, or `CancellationError`.
    static func searchHere(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], options: RetainPaths.Options,
        tasks: TaskMemory? = nil, _ observer: SearchObserver
    ) throws -> HeapAnswer {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        var budget = SearchBudget(options.timeout)
        var whole = HeapAnswer()
        for batch in targets.batches(of: Int(RP_MAX_TARGETS)) {
            var question = HeapQuestion(
                targets: batch, askers: askers, timeout: options.timeout, memoryLimit: options.memoryLimit)
            question.tasks = tasks
            var search = try HeapSearch(question, observer: observer)
            whole.append(try search.run(within: &budget))
        }
        return whole
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not supported.")
        #endif
    }

    /// The memory that a search takes from the program, apart from symbols and layouts.
    ///
    /// The code that reads symbols and layouts checks for memory separately.
    private static let neededMemory = 8 << 20

    /// Throws if the program has so little memory left that starting the search thread could end the program.
    static func demandMemory() throws(RetainPathsError) {
        guard !ProcessLimits.hasRoom(forThreads: 1, leaving: neededMemory) else { return }
        throw .failed(
            reason: "the program has too little memory left to start a thread. \(ProcessLimits.memory)")
    }

    /// Throws if so little memory is left that a search on the calling thread could end the program.
    static func demandRoom() throws(RetainPathsError) {
        guard ProcessLimits.isMemoryLimited else { return }
        guard ProcessLimits.hasRoom(for: neededMemory) else {
            let needed = (neededMemory + ProcessLimits.reserve) >> 20
            throw .failed(reason: "the program has less than \(needed) MB of memory left. \(ProcessLimits.memory)")
        }
        // malloc reserves 64 MB of address space for each thread's arena. Without an arena it maps each block
        // separately, which is far slower.
        #if os(Linux)
        guard rp_thread_has_arena() else {
            throw .failed(reason: "not enough memory for the allocations of another thread. \(ProcessLimits.memory)")
        }
        #endif
    }

    /// The same answer, with the doubtful findings replaced by those of a second search.
    func withoutDoubtfulFindings(from second: HeapAnswer) -> HeapAnswer {
        var whole = self
        for index in findings.indices where findings[index].isDoubtful {
            whole.findings[index] = second.findings[index]
        }
        whole.threads.merge(second.threads) { known, _ in known }
        whole.cost = second.cost
        return whole
    }

    /// This answer or that of a second search, whichever has fewer doubtful findings.
    ///
    /// For blocks of lines: the second search may have met other blocks.
    func orLessDoubtful(_ second: HeapAnswer) -> HeapAnswer {
        let isBetter = second.findings.count(where: \.isDoubtful) < findings.count(where: \.isDoubtful)
        var whole = isBetter ? second : self
        whole.cost = second.cost
        return whole
    }

    /// The findings without those of the first `count` targets, which the self-check added.
    func withoutFirst(_ count: Int) -> HeapAnswer {
        var rest = self
        rest.findings = findings.dropFirst(count).map { finding in
            var finding = finding
            finding.culprit = finding.culprit.flatMap { $0 < count ? nil : $0 - count }
            return finding
        }
        return rest
    }

    /// Adds the findings of a search for further targets.
    private mutating func append(_ other: HeapAnswer) {
        let first = findings.count
        findings += other.findings.map { finding in
            var finding = finding
            finding.culprit = finding.culprit.map { $0 + first }
            return finding
        }
        threads.merge(other.threads) { known, _ in known }
        cost.objects = max(cost.objects, other.cost.objects)
        cost.blocks = max(cost.blocks, other.cost.blocks)
        cost.pause = max(cost.pause, other.cost.pause)
        cost.total += other.cost.total
        cost.rounds += other.cost.rounds
        cost.copyBytes = max(cost.copyBytes, other.cost.copyBytes)
        cost.excludedWords = max(cost.excludedWords, other.cost.excludedWords)
    }
}
