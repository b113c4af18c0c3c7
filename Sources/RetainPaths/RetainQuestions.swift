import CRetainPaths
import LifetimeTracer

/// Instances of one registry of which somebody asks who holds them.
package struct RetainQuestion: Sendable {
    /// The most instances that one copy of the process is asked for.
    ///
    /// Of questions that have more together one may be cut in two, and then what goes with a culprit of the other part is
    /// not told as that.
    package static let mostInstancesTogether = Int(RP_MAX_TARGETS)

    /// Where they were recorded.
    package let registry: LifetimeRegistry
    /// The instances.
    package let ids: [InstanceID]
    /// Leaks that are not to be reported.
    package let knownLeaks: KnownLeaks
    /// The task that waits for the answer.
    fileprivate let asker = AskingTask.current

    /// Creates a question of the task that runs this.
    package init(_ ids: [InstanceID], in registry: LifetimeRegistry, knownLeaks: KnownLeaks = KnownLeaks()) {
        self.registry = registry
        self.ids = ids
        self.knownLeaks = knownLeaks
    }
}

extension RetainPaths {
    /// Answers several questions with one search: one copy of the process, whatever the registries.
    ///
    /// - Parameters:
    ///   - questions: What is asked; instances of two questions are never each other's culprits.
    ///   - options: Limits; each question brings known leaks of its own.
    /// - Returns: A report for each question, in their order; each tells the cost of all.
    /// - Throws: ``RetainPathsError``, or `CancellationError` when the task is cancelled.
    nonisolated(nonsending) package static func explain(
        together questions: [RetainQuestion], options: Options = Options()
    ) async throws -> [RetainReport] {
        let askers = Array(Set(questions.compactMap(\.asker)))
        return try await onSearchThread { isCancelled in
            // All bits set is the inverse of a word that nothing carries.
            let words = questions.flatMap { $0.registry.carriedWords(of: $0.ids) }.map { $0 ?? .max }
            let start = ContinuousClock.now
            let observer = SearchObserver(isCancelled: isCancelled)
            let answer = try checkedSearch(.carriedWords(words), by: askers, options, observer)
            let today = CalendarDay(SystemClock().wallNow())
            var first = 0
            var reports = questions.map { question in
                let range = first..<first + question.ids.count
                first = range.upperBound
                return ExplanationWriter(
                    knownLeaks: question.knownLeaks, libraryModules: options.libraryModules, today: today
                ).report(on: answer.part(range), of: question.ids)
            }
            for index in reports.indices { reports[index].cost.setTotal(since: start) }
            return reports
        }
    }
}

extension HeapAnswer {
    /// What was found of some of the targets.
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
