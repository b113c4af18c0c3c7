import LifetimeTracer

/// Signals the next death or token removal that can end a wait.
struct RegistryChange: Sendable {
    let signal = Signal()
    /// Whether the change may have happened before the listener was installed.
    private(set) var isMissed = false

    private let registry: LifetimeRegistry
    private var deaths: [(id: InstanceID, key: UInt64)] = []
    private var removalKey: UInt64?

    /// The most instances whose death is awaited at a time.
    private static let watched = 1000
    private static let lastKey = Locked(UInt64(0))

    /// Listens for the next change that can affect a judgement.
    init(awaited judgement: Judgement, in registry: LifetimeRegistry) {
        guard !judgement.instances.isEmpty else {
            self.init(removalOf: judgement.tokens, in: registry)
            return
        }
        // If a type may have no instances left, every one has to die, so listening to one is enough. Otherwise any
        // death may be the decisive one.
        let strict = judgement.instances.first { judgement.budgets[$0.type, default: 0] == 0 }
        self.init(deathOfAnyOf: (strict.map { [$0] } ?? judgement.instances).map(\.id), in: registry)
    }

    /// Listens for the next death among several instances.
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

    /// Listens for the next removal of any token.
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
