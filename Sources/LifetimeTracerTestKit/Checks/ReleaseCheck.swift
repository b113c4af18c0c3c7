import LifetimeTracer
import RetainPaths

/// Checks that an object is deallocated within a delay; knows the object by its id and does not retain it.
struct ReleaseCheck: Sendable {
    private let lifetime: Lifetime
    private let typeName: String
    private let delay: Duration
    private let reason: String?
    /// The human-readable event from which the delay counts: "its release".
    private let beginning: String
    private let deadline: ContinuousClock.Instant

    init(
        _ lifetime: Lifetime, typeName: String? = nil, within delay: Duration,
        after beginning: String = "its release", because reason: String?
    ) {
        self.lifetime = lifetime
        self.typeName = typeName ?? "The instance"
        self.delay = delay
        self.reason = reason
        self.beginning = beginning
        deadline = .now + delay
    }

    /// Waits in a task until the object is gone or the delay has passed.
    ///
    /// - Returns: The finding if the object is still live.
    func finding() async -> Finding? {
        guard let death = Death(of: lifetime) else { return nil }
        let outcome = await death.signal.wait(until: deadline)
        death.end()
        guard outcome != .happened else { return nil }
        return await finding(HolderSearch.answer(to: question), wasCancelled: outcome == .cancelled)
    }

    /// Blocks the thread until the object is gone or the delay has passed.
    ///
    /// - Returns: The finding if the object is still live.
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
        finding.expected = "the instance is deallocated" + (reason.map { ": \($0)" } ?? "") + "."
        finding.instances = record.map { [$0] } ?? []
        finding.take(answer, in: lifetime.registry)
        if record == nil {
            finding.notes.append(
                "The instance was deallocated just after the wait, or was created while tracing was off.")
        }
        if let obstacle = KnownLeaksFile.obstacle { finding.notes.append(obstacle) }
        if wasCancelled { finding.notes.append("The test was cancelled before the wait ended.") }
        return finding
    }
}

/// A signal that fires when one instance dies.
private struct Death: Sendable {
    let signal = Signal()
    private let lifetime: Lifetime
    private let key: UInt64

    /// Starts to listen; `nil` if the instance is already gone.
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
