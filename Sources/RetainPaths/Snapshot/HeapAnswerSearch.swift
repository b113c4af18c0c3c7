import CRetainPaths

extension HeapAnswer {
    /// Searches a copy of the process, on a thread of the search's own, after those that were asked for before.
    ///
    /// - Parameter askers: The tasks that wait for the answer.
    /// - Throws: ``RetainPathsError``, or `CancellationError`.
    static func search(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], options: RetainPaths.Options,
        progress: @escaping @Sendable (RetainPaths.Progress) -> Void = { _ in }
    ) async throws -> HeapAnswer {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        // Waiting for others counts, too.
        let deadline = ContinuousClock.now + options.timeout
        var whole = HeapAnswer()
        for batch in targets.batches(of: Int(RP_MAX_TARGETS)) {
            let question = HeapQuestion(
                targets: batch, askers: askers, deadline: deadline, timeout: options.timeout,
                memoryLimit: options.memoryLimit)
            let part = try await SearchThread.run { isCancelled in
                let observer = SearchObserver(progress: progress, isCancelled: isCancelled)
                var search = try HeapSearch(question, observer: observer)
                return try search.run()
            }
            whole.append(part)
        }
        return whole
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not known.")
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

extension HeapQuestion.Targets {
    /// The same in parts of at most so many; one empty part of nothing.
    fileprivate func batches(of size: Int) -> [Self] {
        let words = inverted
        let starts = words.isEmpty ? [0] : Array(stride(from: 0, to: words.count, by: size))
        return starts.map { start in
            let part = Array(words[start..<min(start + size, words.count)])
            return areAddresses ? .addresses(part) : .carriedWords(part)
        }
    }
}
