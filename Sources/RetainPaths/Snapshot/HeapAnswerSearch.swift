import CRetainPaths
import LifetimeTracer

extension HeapAnswer {
    /// Searches a copy of the process, on a thread of the search's own, after those that were asked for before.
    ///
    /// - Parameter askers: The tasks that wait for the answer.
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

    /// Searches copies of the process, in the calling thread, which has to be that of the searches.
    ///
    /// - Throws: ``RetainPathsError``, or `CancellationError`.
    static func searchHere(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], options: RetainPaths.Options,
        _ observer: SearchObserver
    ) throws -> HeapAnswer {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        var budget = SearchBudget(options.timeout)
        var whole = HeapAnswer()
        for batch in targets.batches(of: Int(RP_MAX_TARGETS)) {
            let question = HeapQuestion(
                targets: batch, askers: askers, timeout: options.timeout, memoryLimit: options.memoryLimit)
            var search = try HeapSearch(question, observer: observer)
            whole.append(try search.run(within: &budget))
        }
        return whole
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not known.")
        #endif
    }

    /// What a search takes of the program's memory, apart from symbols and layouts, which are looked at when they are read.
    private static let neededMemory = 8 << 20

    /// Throws where the program has so little memory left that it might end when a thread of the search starts.
    static func demandMemory() throws(RetainPathsError) {
        guard !ProcessLimits.hasRoom(forThreads: 1, leaving: neededMemory) else { return }
        throw .failed(
            reason: "the program has too little memory left to start a thread. \(ProcessLimits.memory)")
    }

    /// Throws where the calling thread, which is to search, has so little memory that the program might end in the middle of it.
    static func demandRoom() throws(RetainPathsError) {
        guard ProcessLimits.isMemoryLimited else { return }
        guard ProcessLimits.hasRoom(for: neededMemory) else {
            let needed = (neededMemory + ProcessLimits.reserve) >> 20
            throw .failed(reason: "the program has less than \(needed) MB of memory left. \(ProcessLimits.memory)")
        }
        // Each thread wants 64 MB of address space for its blocks. Without it malloc maps every block by itself, which takes far longer.
        #if os(Linux)
        guard rp_thread_has_arena() else {
            throw .failed(reason: "there is no memory for what another thread allocates. \(ProcessLimits.memory)")
        }
        #endif
    }

    /// The same with the findings of a second look instead of those that are doubtful.
    func withoutDoubtfulFindings(from second: HeapAnswer) -> HeapAnswer {
        var whole = self
        for index in findings.indices where findings[index].isDoubtful {
            whole.findings[index] = second.findings[index]
        }
        whole.threads.merge(second.threads) { known, _ in known }
        whole.cost = second.cost
        return whole
    }

    /// What was found of the targets behind the first ones, which were searched for beside them.
    func withoutFirst(_ count: Int) -> HeapAnswer {
        var rest = self
        rest.findings = findings.dropFirst(count).map { finding in
            var finding = finding
            finding.culprit = finding.culprit.flatMap { $0 < count ? nil : $0 - count }
            return finding
        }
        return rest
    }

    /// Adds what another search has found of further targets.
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
        cost.pauseNanoseconds = max(cost.pauseNanoseconds, other.cost.pauseNanoseconds)
        cost.totalNanoseconds += other.cost.totalNanoseconds
        cost.rounds += other.cost.rounds
        cost.copyBytes = max(cost.copyBytes, other.cost.copyBytes)
    }
}
