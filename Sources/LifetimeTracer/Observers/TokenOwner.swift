/// The owner of an observer registration: an instance, a type or nobody.
package struct TokenOwner: Sendable {
    let id: InstanceID?
    let type: Any.Type?
    let registry: LifetimeRegistry?

    private init(id: InstanceID?, type: Any.Type?, registry: LifetimeRegistry?) {
        self.id = id
        self.type = type
        self.registry = registry
    }

    /// An object, or else a type, or else nobody.
    package init(_ owner: (any Traced)?, type: Any.Type? = nil) {
        if let owner {
            let lifetime = owner.lifetime
            self.init(id: lifetime.id, type: type ?? Swift.type(of: owner), registry: lifetime.registry)
        } else {
            self.init(id: nil, type: type, registry: nil)
        }
    }

    /// No owner.
    package static var nobody: Self { Self(nil) }

    /// An instance of which only the id is known.
    ///
    /// - Throws: ``TracerError`` if the instance has died or has never been born, because its token would be orphaned
    ///   from the start.
    package static func instance(
        withID id: InstanceID, in registry: LifetimeRegistry = .current
    ) throws(TracerError) -> Self {
        try registry.requireLive(id, for: "own an observer token")
        return Self(id: id, type: nil, registry: registry)
    }
}
