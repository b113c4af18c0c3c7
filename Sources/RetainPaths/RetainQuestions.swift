import CRetainPaths
import LifetimeTracer

/// Instances of one registry whose holders a caller wants to know.
package struct RetainQuestion: Sendable {
    /// The largest number of instances that one frozen copy can search for.
    ///
    /// If several questions have more instances together, one question may be split in two. An instance is then not
    /// reported as the victim of a culprit in the other part.
    package static let mostInstancesTogether = Int(RP_MAX_TARGETS)

    /// The registry in which the instances are recorded.
    package let registry: LifetimeRegistry
    /// The instances.
    package let ids: [InstanceID]
    /// Leaks that someone has accepted.
    ///
    /// The report marks them as known.
    package let knownLeaks: KnownLeaks
    /// The task that awaits the answer.
    fileprivate let asker = AskingTask.current

    /// Creates a question on behalf of the current task.
    package init(_ ids: [InstanceID], in registry: LifetimeRegistry, knownLeaks: KnownLeaks = KnownLeaks()) {
        self.registry = registry
        self.ids = ids
        self.knownLeaks = knownLeaks
    }
}

extension RetainPaths {
    /// Answers several questions with one search, even if they concern different registries.
    ///
    /// - Parameters:
    ///   - questions: The questions. Instances of two questions are never each other's culprits.
    ///   - options: The limits and settings. The known leaks come from each question instead.
    /// - Returns: A report for each question, in the same order. Each report contains the cost of the whole search.
    /// - Throws: ``RetainPathsError``, or `CancellationError` if the task is cancelled.
    nonisolated(nonsending) package static func explain(
        together questions: [RetainQuestion], options: Options = Options()
    ) async throws -> [RetainReport] {
        AskingTask.clearUnusedFrames()
        let askers = Array(Set(questions.compactMap(\.asker)))
        return try await onSearchThread { isCancelled in
            // All bits set is the inverse of a word that no instance carries.
            let words = questions.flatMap { $0.registry.carriedWords(of: $0.ids) }.map { $0 ?? .max }
            let start = ContinuousClock.now
            let observer = SearchObserver(isCancelled: isCancelled)
            let answer = try checkedSearch(.carriedWords(words), by: askers, options, observer)
            let today = SystemClock().wallNow().day
            var first = 0
            var reports = questions.map { question in
                let range = first..<first + question.ids.count
                first = range.upperBound
                return ExplanationWriter(
                    knownLeaks: question.knownLeaks, libraryModules: options.libraryModules, today: today,
                    typeOfLive: question.registry.typeOfLive
                ).report(on: answer.part(range), of: question.ids)
            }
            for index in reports.indices { reports[index].cost.total = ContinuousClock.now - start }
            return reports
        }
    }
}

extension HeapAnswer {
    /// The findings of a range of the targets.
    ///
    /// A culprit outside the range is dropped.
    fileprivate func part(_ range: Range<Int>) -> HeapAnswer {
        var part = self
        part.findings = findings[range].map { finding in
            var finding = finding
            finding.culprit = finding.culprit.flatMap { range.contains($0) ? $0 - range.lowerBound : nil }
            return finding
        }
        return part
    }
}
