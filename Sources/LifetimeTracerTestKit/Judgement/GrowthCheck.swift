import LifetimeTracer
import RetainPaths

/// Watches what grows from round to round in a registry.
struct GrowthCheck: Sendable {
    let registry: LifetimeRegistry
    let reason: String?
    private var growth = Growth()
    private var rounds = 0

    /// How long what the last rounds made may take to go.
    private static let settling = Duration.seconds(1)

    /// - Parameter registry: That of the test's scope; the shared one would show what others make meanwhile.
    init(in registry: LifetimeRegistry, because reason: String?) {
        self.registry = registry
        self.reason = reason
    }

    /// Counts after a round; the first one is a warm-up, to which the others are compared.
    mutating func endRound() {
        growth.add(Growth.Kind.counts(in: registry.snapshot()))
        rounds += 1
    }

    /// What is wrong, after waiting for what goes late.
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

    /// The same, blocking the thread.
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

    /// What grew in every round and has not become less since.
    private var grown: [Growth.Kind] {
        let growing = growth.growing
        guard !growing.isEmpty else { return [] }
        let counts = Growth.Kind.counts(in: registry.snapshot())
        return growing.filter { growth.isGrown($0, now: counts[$0, default: 0]) }
    }

    private func nextChange(_ deadline: ContinuousClock.Instant) -> RegistryChange? {
        guard deadline > .now, let first = grown.first else { return nil }
        let snapshot = registry.snapshot()
        switch first {
        case .instances(let type):
            let youngest = snapshot.instances.filter { $0.type == type }.suffix(rounds)
            return RegistryChange(deathOfAnyOf: youngest.map(\.id), in: registry)
        case .tokens(let kind, let event, let ownerType):
            let tokens = snapshot.tokens.filter { ($0.kind, $0.event, $0.ownerType) == (kind, event, ownerType) }
            return RegistryChange(removalOf: tokens, in: registry)
        }
    }

    /// The youngest instance of each type that grew: a sample.
    private func samples(of grown: [Growth.Kind]) -> [InstanceRecord] {
        let instances = registry.snapshot().instances
        return grown.compactMap { kind in
            guard case .instances(let type) = kind else { return nil }
            return instances.last { $0.type == type }
        }
    }

    private func question(_ grown: [Growth.Kind]) -> RetainQuestion {
        // Known leaks count as any other: they grow all the same, and their path is to be told.
        RetainQuestion(samples(of: grown).map(\.id), in: registry)
    }

    private func finding(on grown: [Growth.Kind], _ answer: HolderSearch.Answer) -> Finding {
        let courses = grown.map { kind in
            "\(kind.name) (\(growth.course(of: kind).map(String.init).joined(separator: ", ")))"
        }
        var finding = Finding(
            headline: "Grew in each of \((rounds - 1).counted("round")): \(courses.joined(separator: ", ")).")
        finding.expected = "a round leaves no more than it found" + (reason.map { ": \($0)" } ?? "") + "."
        finding.instances = samples(of: grown)
        if !finding.instances.isEmpty { finding.take(answer, in: registry) }
        finding.tokens = registry.snapshot().tokens.filter { token in
            grown.contains(.tokens(kind: token.kind, event: token.event, ownerType: token.ownerType))
        }
        return finding
    }
}
