import LifetimeTracer
import RetainPaths
import TracerBase

/// Checks which types and tokens grow in a registry from round to round.
struct GrowthCheck: Sendable {
    let registry: LifetimeRegistry
    let reason: String?
    private var growth = Growth()

    /// How long objects that the last rounds created may take to be deallocated.
    private static let settling = Duration.seconds(1)

    /// - Parameter registry: The registry of the test's scope; the shared one would include objects of other tests.
    init(in registry: LifetimeRegistry, because reason: String?) {
        self.registry = registry
        self.reason = reason
    }

    /// Ends a round; the first round is a warm-up.
    mutating func endRound() {
        let snapshot = registry.snapshot()
        growth.endRound(instance: snapshot.lastID.rawValue, token: snapshot.tokens.last?.id.rawValue ?? 0)
    }

    /// Returns the finding, after waiting for late deallocations.
    func finding() async -> Finding? {
        let deadline = ContinuousClock.now + Self.settling
        while let change = nextChange(deadline) {
            defer { change.end() }
            if !change.isMissed, await change.signal.wait(until: deadline) != .happened { break }
        }
        let grown = grown
        guard !grown.isEmpty else { return nil }
        return await finding(on: grown, HolderSearch.answer(to: question(grown)))
    }

    /// Blocking twin of ``finding()``.
    func findingBlocking() -> Finding? {
        let deadline = ContinuousClock.now + Self.settling
        while let change = nextChange(deadline) {
            defer { change.end() }
            if !change.isMissed, BlockingWait.wait(for: change.signal, until: deadline) != .happened { break }
        }
        let grown = grown
        guard !grown.isEmpty else { return nil }
        return finding(on: grown, HolderSearch.answerBlocking(to: question(grown)))
    }

    /// The categories of which something is left from nearly every round.
    private var grown: [Growth.Kind] { growth.growing(Growth.Member.all(in: registry.snapshot())) }

    private func nextChange(_ deadline: ContinuousClock.Instant) -> RegistryChange? {
        guard deadline > .now, let first = grown.first else { return nil }
        let snapshot = registry.snapshot()
        switch first {
        case .instances(let type):
            let youngest = snapshot.instances.filter { $0.type == type }.suffix(growth.rounds + 1)
            return RegistryChange(deathOfAnyOf: youngest.map(\.id), in: registry)
        case .tokens(let kind, let event, let ownerType):
            let tokens = snapshot.tokens.filter { ($0.kind, $0.event, $0.ownerType) == (kind, event, ownerType) }
            return RegistryChange(removalOf: tokens, in: registry)
        }
    }

    /// The youngest instance of each type that grew, as a sample.
    private func samples(of grown: [Growth.Kind]) -> [InstanceRecord] {
        let instances = registry.snapshot().instances
        return grown.compactMap { kind in
            guard case .instances(let type) = kind else { return nil }
            return instances.last { $0.type == type }
        }
    }

    private func question(_ grown: [Growth.Kind]) -> RetainQuestion {
        // The question passes no known leaks: a known leak grows too, and its path should be reported.
        RetainQuestion(samples(of: grown).map(\.id), in: registry)
    }

    private func finding(on grown: [Growth.Kind], _ answer: HolderSearch.Answer) -> Finding {
        let left = Growth.Member.all(in: registry.snapshot())
        let parts = grown.map { kind in
            "\(kind.name) (\(growth.survivors(left, of: kind).map(String.init).joined(separator: ", ")))"
        }
        var finding = Finding(
            headline: "Grew in \(growth.rounds.counted("round")), which left: \(parts.joined(separator: ", ")).")
        finding.expected = "no growth from round to round" + (reason.map { ": \($0)" } ?? "") + "."
        finding.instances = samples(of: grown)
        if !finding.instances.isEmpty { finding.take(answer, in: registry) }
        finding.tokens = registry.snapshot().tokens.filter { token in
            grown.contains(.tokens(kind: token.kind, event: token.event, ownerType: token.ownerType))
        }
        return finding
    }
}
