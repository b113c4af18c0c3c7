import LifetimeTracer

/// The next death or removal that somebody waits for.
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

    /// The next that can change a judgement.
    init(awaited judgement: Judgement, in registry: LifetimeRegistry) {
        guard !judgement.instances.isEmpty else {
            self.init(removalOf: judgement.tokens, in: registry)
            return
        }
        // Where nothing of a type may be left, each has to go, and one is enough to listen for; else any may be the one.
        let strict = judgement.instances.first { judgement.budgets[$0.type, default: 0] == 0 }
        self.init(deathOfAnyOf: (strict.map { [$0] } ?? judgement.instances).map(\.id), in: registry)
    }

    /// The next death of one of some instances.
    init(deathOfAnyOf ids: [InstanceID], in registry: LifetimeRegistry) {
        self.registry = registry
        for id in ids.prefix(Self.watched) {
            guard let key = registry.onDeath(of: id, { [signal] in signal.fire() }) else {
                isMissed = true
                return
            }
            deaths.append((id, key))
        }
    }

    /// The next removal of any token, while some that are waited for are in force.
    init(removalOf tokens: [TokenRecord], in registry: LifetimeRegistry) {
        self.registry = registry
        let key = Self.lastKey.withLock { last in
            last += 1
            return last
        }
        registry.onTokenRemoval(key: key) { [signal] in signal.fire() }
        removalKey = key
        let inForce = Set(registry.snapshot().tokens.map(\.id))
        isMissed = tokens.contains { !inForce.contains($0.id) }
    }

    /// Stops listening.
    func end() {
        for (id, key) in deaths { registry.removeDeathAction(key, of: id) }
        if let removalKey { registry.removeTokenRemovalAction(removalKey) }
    }
}
