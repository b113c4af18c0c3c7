import LifetimeTracer
import RetainPaths

/// An object that should be gone soon, known by its id: nothing here holds it.
struct ReleaseCheck: Sendable {
    private let lifetime: Lifetime
    private let typeName: String
    private let delay: Duration
    private let reason: String?
    /// From when on it should go, for people: "it was let go".
    private let beginning: String
    private let deadline: ContinuousClock.Instant

    init(
        _ lifetime: Lifetime, typeName: String? = nil, within delay: Duration,
        after beginning: String = "it was let go", because reason: String?
    ) {
        self.lifetime = lifetime
        self.typeName = typeName ?? "The instance"
        self.delay = delay
        self.reason = reason
        self.beginning = beginning
        deadline = .now + delay
    }

    /// Waits in a task until it is gone.
    ///
    /// - Returns: What to report if it is not.
    func finding() async -> Finding? {
        guard let death = Death(of: lifetime) else { return nil }
        let outcome = await death.signal.wait(until: deadline)
        death.end()
        guard outcome != .happened else { return nil }
        return await finding(HolderSearch.answer(to: question), wasCancelled: outcome == .cancelled)
    }

    /// Blocks the thread until it is gone.
    ///
    /// - Returns: What to report if it is not.
    func findingBlocking() -> Finding? {
        guard let death = Death(of: lifetime) else { return nil }
        let outcome = BlockingWait.wait(for: death.signal, until: deadline)
        death.end()
        guard outcome != .happened else { return nil }
        return finding(HolderSearch.answerBlocking(to: question))
    }

    private var question: RetainQuestion {
        RetainQuestion([lifetime.id], in: lifetime.registry, knownLeaks: KnownLeaksFile.leaks)
    }

    private func finding(_ answer: HolderSearch.Answer, wasCancelled: Bool = false) -> Finding {
        let record = lifetime.registry.record(of: lifetime.id)
        let name = record.map { "\($0.type.readable) #\($0.id)" } ?? "\(typeName) #\(lifetime.id)"
        let wait = delay > .zero ? " \(delay.inWords) after \(beginning)" : ""
        if case .found(let report) = answer, let known = report.explanations.first?.known {
            return Finding(
                headline: "Known leak, \(name) is still alive\(wait): \(known.subject): \(known.reason)",
                weight: .warning)
        }
        var finding = Finding(headline: "\(name) is still alive\(wait).")
        finding.expected = "it is gone" + (reason.map { ": \($0)" } ?? "") + "."
        finding.instances = record.map { [$0] } ?? []
        finding.take(answer, in: lifetime.registry)
        if record == nil { finding.notes.append("It went when the wait was over, or was made while tracing was off.") }
        if let obstacle = KnownLeaksFile.obstacle { finding.notes.append(obstacle) }
        if wasCancelled { finding.notes.append("The test was cancelled before the wait was over.") }
        return finding
    }
}

/// The death of one instance, for one who waits for it.
private struct Death: Sendable {
    let signal = Signal()
    private let lifetime: Lifetime
    private let key: UInt64

    /// Listens; `nil` when the instance is gone already.
    init?(of lifetime: Lifetime) {
        guard let key = lifetime.registry.onDeath(of: lifetime.id, { [signal] in signal.fire() }) else { return nil }
        self.lifetime = lifetime
        self.key = key
    }

    /// Stops listening.
    func end() {
        lifetime.registry.removeDeathAction(key, of: lifetime.id)
    }
}
