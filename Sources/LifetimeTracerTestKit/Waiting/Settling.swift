import LifetimeTracer

/// Waits until nothing is left that should not be, woken by deaths and by tokens that are removed.
struct Settling: Sendable {
    let registry: LifetimeRegistry
    let rules: LeakRules
    let deadline: ContinuousClock.Instant

    init(_ registry: LifetimeRegistry, _ rules: LeakRules) {
        self.registry = registry
        self.rules = rules
        deadline = .now + rules.settling
    }

    /// Waits in a task; returns what is left at the end.
    func wait() async -> Judgement {
        while true {
            guard let change = nextChange() else { return judgement() }
            defer { change.end() }
            if change.isMissed { continue }
            guard await change.signal.wait(until: deadline) == .happened else { return judgement() }
        }
    }

    /// Blocks the thread; returns what is left at the end.
    func waitBlocking() -> Judgement {
        while true {
            guard let change = nextChange() else { return judgement() }
            defer { change.end() }
            if change.isMissed { continue }
            guard BlockingWait.wait(for: change.signal, until: deadline) == .happened else { return judgement() }
        }
    }

    /// What is left and should not be.
    func judgement() -> Judgement {
        let snapshot = registry.snapshot()
        return Judgement(of: Leftovers(in: snapshot), unlisted: snapshot.unlisted, by: rules, in: registry)
    }

    /// What has to change before the judgement can; `nil` when there is nothing to wait for or no time left.
    private func nextChange() -> RegistryChange? {
        guard deadline > .now else { return nil }
        let judgement = judgement()
        return judgement.isClean ? nil : RegistryChange(awaited: judgement, in: registry)
    }
}

/// The next death or removal that matters to a judgement.
struct RegistryChange: Sendable {
    let signal = Signal()
    /// Whether it may have happened before anybody listened.
    private(set) var isMissed = false

    private let registry: LifetimeRegistry
    private var deaths: [(id: InstanceID, key: UInt64)] = []
    private var removalKey: UInt64?

    /// The most deaths that are listened for at a time.
    private static let watched = 1000
    private static let lastKey = Locked(UInt64(0))

    init(awaited judgement: Judgement, in registry: LifetimeRegistry) {
        self.registry = registry
        listenForDeaths(judgement)
        if !judgement.tokens.isEmpty, judgement.instances.isEmpty { listenForRemoval(of: judgement.tokens) }
    }

    /// Stops listening.
    func end() {
        for (id, key) in deaths { registry.removeDeathAction(key, of: id) }
        if let removalKey { registry.removeTokenRemovalAction(removalKey) }
    }

    private mutating func listenForDeaths(_ judgement: Judgement) {
        // Where nothing of a type may be left, each has to go, and one is enough to listen for; else any may be the one.
        let strict = judgement.instances.first { judgement.budgets[$0.type, default: 0] == 0 }
        let awaited = strict.map { [$0] } ?? judgement.instances
        for record in awaited.prefix(Self.watched) {
            guard let key = registry.onDeath(of: record.id, { [signal] in signal.fire() }) else {
                isMissed = true
                return
            }
            deaths.append((record.id, key))
        }
    }

    private mutating func listenForRemoval(of tokens: [TokenRecord]) {
        let key = Self.lastKey.withLock { last in
            last += 1
            return last
        }
        registry.onTokenRemoval(key: key) { [signal] in signal.fire() }
        removalKey = key
        let inForce = Set(registry.snapshot().tokens.map(\.id))
        isMissed = tokens.contains { !inForce.contains($0.id) }
    }
}
