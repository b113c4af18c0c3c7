/// The owner of an observer registration.
public struct TokenOwner: Sendable {
    let id: InstanceID?
    let type: Any.Type?
    let registry: LifetimeRegistry?

    /// A traced object; if it dies while the token is in force, the token is orphaned.
    ///
    /// Only the object's id is kept.
    public static func instance(_ owner: some Traced) -> Self {
        Self(id: owner.lifetimeID, type: Swift.type(of: owner), registry: owner.lifetimeRegistry)
    }

    /// A type, for owners that are not traced; the token is counted but never orphaned.
    public static func type(_ type: Any.Type) -> Self {
        Self(id: nil, type: type, registry: nil)
    }

    /// No owner.
    public static var nobody: Self {
        Self(id: nil, type: nil, registry: nil)
    }

    /// An instance of which only the id is known.
    ///
    /// - Parameters:
    ///   - id: The owner's id.
    ///   - registry: The registry in which the instance was born.
    /// - Throws: ``TracerError`` if the instance has died or has never been born, because its token would be orphaned
    ///   from the start.
    public static func instance(
        withID id: InstanceID, in registry: LifetimeRegistry = .current
    ) throws(TracerError) -> Self {
        try registry.requireLive(id, for: "own an observer token")
        return Self(id: id, type: nil, registry: registry)
    }
}
