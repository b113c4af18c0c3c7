import LifetimeTracer
import RetainPaths

/// Checks whether leaks of any class came to be while the code under test ran.
///
/// The check compares the leaks of the whole process before and after, so leaks of other tests that run at the same
/// time count as well.
struct HeapLeakCheck: Sendable {
    private let rules: LeakRules
    /// The human-readable name of the code under test, such as "the test".
    private let subject: String
    private let before: HeapLeakSearch.Answer
    /// Whether leaks count that consist of objects of libraries.
    private var countsLibraries = true

    /// Searches for the leaks that exist before the code under test.
    static func begin(_ rules: LeakRules, subject: String) async -> HeapLeakCheck {
        HeapLeakCheck(rules: rules, subject: subject, before: await HeapLeakSearch.answer(rules.effectiveKnownLeaks))
    }

    /// Blocking twin of ``begin(_:subject:)``.
    static func beginBlocking(_ rules: LeakRules, subject: String) -> HeapLeakCheck {
        HeapLeakCheck(
            rules: rules, subject: subject, before: HeapLeakSearch.answerBlocking(rules.effectiveKnownLeaks))
    }

    /// A check that finds all leaks of the process that begin at an object of the program.
    ///
    /// Test frameworks and other libraries may have leaks of their own.
    static func ofWholeProcess(_ rules: LeakRules, subject: String) -> HeapLeakCheck {
        var check = HeapLeakCheck(rules: rules, subject: subject, before: .found(HeapGraph.Leaks()))
        check.countsLibraries = false
        return check
    }

    /// Returns the findings.
    ///
    /// There is no settling time: an object that something may still release is not leaked.
    ///
    /// - Parameter explained: The findings about traced objects, whose leaks are not reported twice.
    func findings(after ending: LeakCheck.Ending = .complete, beside explained: [Finding] = []) async -> [Finding] {
        guard case .found = before else { return findings(ending, explained, before) }
        return findings(ending, explained, await HeapLeakSearch.answer(rules.effectiveKnownLeaks))
    }

    /// Blocking twin of ``findings(after:beside:)``.
    func findingsBlocking(
        after ending: LeakCheck.Ending = .complete, beside explained: [Finding] = []
    ) -> [Finding] {
        guard case .found = before else { return findings(ending, explained, before) }
        return findings(ending, explained, HeapLeakSearch.answerBlocking(rules.effectiveKnownLeaks))
    }

    private func findings(
        _ ending: LeakCheck.Ending, _ explained: [Finding], _ answer: HeapLeakSearch.Answer
    ) -> [Finding] {
        let old: HeapGraph.Leaks
        let new: HeapGraph.Leaks
        switch (before, answer) {
        case (.found(let first), .found(let second)): (old, new) = (first, second)
        // Without the warning, a test whose heap was not searched would pass as leak-free.
        case (.unknown(let reason), _), (_, .unknown(let reason)):
            return [
                Finding(headline: "The heap was not searched for leaks of \(subject). \(reason)", weight: .warning)
            ]
        }
        let reported = Set(explained.flatMap(\.fingerprints))
        let added = new.cyclesAdded(since: old).filter { leak in
            (countsLibraries || leak.isOfProgram) && leak.fingerprint.map { !reported.contains($0) } ?? true
        }
        let report = HeapGraph.LeakReport(added)
        let known = report.knownLines.map { Finding(headline: $0, weight: .warning) }
        guard !report.unknown.isEmpty else { return known }
        var finding = Finding(headline: report.headline(of: subject))
        finding.expected = HeapGraph.LeakReport.expectation(of: subject) + rules.reasonAtEnd
        finding.heapLeaks = report.unknown
        finding.weight = rules.severity == .failure ? .failure : .warning
        if rules.knownLeaks == nil, let obstacle = KnownLeaksFile.obstacle { finding.notes.append(obstacle) }
        if let note = ending.note {
            finding.weight = .warning
            finding.notes.append(note)
        }
        return known + [finding]
    }
}

extension Finding {
    /// The fingerprints of the leaks that a finding explains.
    fileprivate var fingerprints: [Fingerprint] {
        guard case .found(let report) = holders else { return [] }
        return report.explanations.compactMap(\.fingerprint)
    }
}
