import LifetimeTracer
import RetainPaths
import TracerBase

/// Checks a registry for leaks after the code under test has ended.
struct LeakCheck: Sendable {
    let registry: LifetimeRegistry
    let rules: LeakRules
    /// The human-readable name of the code under test, such as "the test".
    let subject: String

    /// How the code under test ended.
    enum Ending: Sendable {
        case complete
        case failed
        case skipped
        case cancelled

        /// A note for endings that can cause a leak by themselves; `nil` for the others.
        var note: String? {
            switch self {
            case .complete: nil
            case .failed: "The test had already failed: the failure may be the cause of the leak."
            case .skipped: "The test was skipped: the skip may be the cause of the leak."
            case .cancelled: "The test was cancelled: the cancellation may be the cause of the leak."
            }
        }
    }

    /// Returns the findings, after waiting until everything is released or the settling time has passed.
    ///
    /// Returns at once if nothing is left.
    ///
    /// - Parameter ending: If the ending is not complete, or the task is cancelled, a leak is only a warning and no
    ///   retain path is searched.
    func findings(after ending: Ending = .complete) async -> [Finding] {
        guard !registry.isAtRest else { return sightless }
        let judgement = await Settling(registry, rules).wait()
        guard !judgement.isClean else { return [] }
        if let note = (Task.isCancelled ? .cancelled : ending).note { return [finding(on: judgement, notedBy: note)] }
        if judgement.instances.isEmpty { return [finding(on: judgement, nil)] }
        return await findings(on: judgement, HolderSearch.answer(to: question(judgement)))
    }

    /// Blocking twin of ``findings(after:)``.
    func findingsBlocking(after ending: Ending = .complete) -> [Finding] {
        guard !registry.isAtRest else { return sightless }
        let judgement = Settling(registry, rules).waitBlocking()
        guard !judgement.isClean else { return [] }
        if let note = ending.note { return [finding(on: judgement, notedBy: note)] }
        if judgement.instances.isEmpty { return [finding(on: judgement, nil)] }
        return findings(on: judgement, HolderSearch.answerBlocking(to: question(judgement)))
    }

    /// A warning if tracing is off, so that a test that saw nothing does not pass as leak-free.
    private var sightless: [Finding] {
        guard !LifetimeRegistry.isTracing else { return [] }
        return [
            Finding(
                headline: "Nothing was checked: tracing is off. "
                    + "Set `LifetimeRegistry.isTracing` before \(subject).",
                weight: .warning)
        ]
    }

    private func question(_ judgement: Judgement) -> RetainQuestion {
        RetainQuestion(
            judgement.instances.prefix(HolderSearch.instanceLimit).map(\.id), in: registry,
            knownLeaks: rules.effectiveKnownLeaks)
    }

    /// Removes known leaks, and turns the rest into findings.
    private func findings(on judgement: Judgement, _ answer: HolderSearch.Answer) -> [Finding] {
        guard case .found(let report) = answer else { return [finding(on: judgement, answer)] }
        let known = Set(report.groups.flatMap(\.known))
        let unknown = Judgement(
            of: Leftovers(
                instances: judgement.instances.filter { !known.contains($0.id) },
                // A token whose owner is a known leak belongs to that leak.
                tokens: judgement.tokens.filter { $0.owner.map { !known.contains($0.id) } ?? true }),
            unlisted: judgement.unlisted, by: rules, in: registry)
        return report.knownLeakFindings + (unknown.isClean ? [] : [finding(on: unknown, answer)])
    }

    /// Returns the warning for leftovers of a test that failed, was skipped or was cancelled.
    private func finding(on judgement: Judgement, notedBy note: String) -> Finding {
        var finding = finding(on: judgement, nil)
        finding.weight = .warning
        finding.isBrief = true
        finding.notes.append(note)
        return finding
    }

    private func finding(on judgement: Judgement, _ answer: HolderSearch.Answer?) -> Finding {
        var finding = Finding(headline: headline(judgement))
        finding.expected = expected
        finding.instances = judgement.instances
        finding.unlisted = judgement.unlisted
        finding.tokens = judgement.tokens
        if let answer, !judgement.instances.isEmpty { finding.take(answer, in: registry) }
        if case .found(let report) = answer,
            report.explanations.contains(where: { $0.status == .gone && !finding.inFrames.contains($0.instance) })
        {
            let settling = rules.settling.inWords
            finding.notes.append(
                "Some instances were released after the settling time of \(settling): raise the settling time.")
        }
        finding.weight = rules.severity == .failure ? .failure : .warning
        if rules.knownLeaks == nil, let obstacle = KnownLeaksFile.obstacle { finding.notes.append(obstacle) }
        return finding
    }

    private func headline(_ judgement: Judgement) -> String {
        var parts = judgement.counts.map { type, count in
            let budget = judgement.budgets[type].map { " (budget \($0))" } ?? ""
            return "\(count) \(type.readable)\(budget)"
        }
        if judgement.unlisted > 0 { parts.append("\(judgement.unlisted) not listed") }
        if !judgement.tokens.isEmpty { parts.append(judgement.tokens.count.counted("token")) }
        return "Left behind by \(subject): \(parts.joined(separator: ", "))."
    }

    private var expected: String {
        let patience = rules.settling > .zero ? " within \(rules.settling.inWords) of its end" : ""
        return "all instances and tokens of \(subject) are released\(patience)" + rules.reasonAtEnd
    }
}

extension RetainReport.Group {
    /// The known leaks of the group, and the instances that only a known leak holds.
    fileprivate var known: [InstanceID] {
        culprit.known != nil
            ? [culprit.instance] + victims.map(\.instance) : victims.filter { $0.known != nil }.map(\.instance)
    }
}

extension RetainReport {
    /// A warning for each known leak that was found, with the number of instances that it explains.
    fileprivate var knownLeakFindings: [Finding] {
        knownLeakCounts.sorted { $0.key.subject < $1.key.subject }.map { leak, count in
            Finding(known: leak, count: count.counted("instance"))
        }
    }
}

extension Finding {
    /// A warning about a known leak that was found.
    ///
    /// - Parameter count: The number of instances or leaks that the known leak explains, with the noun.
    init(known leak: KnownLeak, count: String) {
        self.init(headline: leak.headline(counting: count), weight: .warning)
    }
}
