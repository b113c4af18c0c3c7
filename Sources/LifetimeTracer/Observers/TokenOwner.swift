/// For whom an observer is registered.
public struct TokenOwner: Sendable {
    let id: InstanceID?
    let type: Any.Type?
    let registry: LifetimeRegistry?

    /// A traced object: when it goes and the token stays in force, the token is orphaned.
    ///
    /// Only its id is kept.
    public static func instance(_ owner: some Traced) -> Self {
        Self(id: owner.lifetimeID, type: Swift.type(of: owner), registry: owner.lifetimeRegistry)
    }

    /// A type, where there is no traced object: such a token is counted but never orphaned.
    public static func type(_ type: Any.Type) -> Self {
        Self(id: nil, type: type, registry: nil)
    }

    /// Nobody in particular.
    public static var nobody: Self {
        Self(id: nil, type: nil, registry: nil)
    }

    /// An instance of which only the id is at hand.
    ///
    /// - Parameters:
    ///   - id: The owner's id.
    ///   - registry: The registry in which it was born.
    /// - Throws: ``TracerError`` when the instance has gone or has never been: a token for it would be orphaned from its
    ///   first moment.
    public static func instance(
        withID id: InstanceID, in registry: LifetimeRegistry = .current
    ) throws(TracerError) -> Self {
        try registry.requireLive(id, for: "own an observer token")
        return Self(id: id, type: nil, registry: registry)
    }
}
