/// An observer token in force, in a snapshot.
public struct TokenRecord: Sendable {
    /// The token's id.
    public let id: TokenID
    /// The kind of registration.
    public let kind: TokenKind
    /// The observed event.
    public let event: String
    /// The owner, if an instance owns the token.
    public let owner: OwnerRecord?
    /// The type of the owner, also if the token has no owner instance.
    public let ownerType: TypeName?
    /// Where the token was registered.
    public let site: SourceSite?
    /// When the token was registered.
    public let registeredAt: MonotonicTime
    /// The number of deliveries so far.
    public let deliveries: Int
    /// Whether the token has outlived its owner by the registry's grace period.
    public let isOrphaned: Bool
}

/// The counts of the tokens of one kind, event and owner type since the start.
public struct TokenGroupRecord: Sendable {
    /// The kind.
    public let kind: TokenKind
    /// The event.
    public let event: String
    /// The owner type.
    public let ownerType: TypeName?
    /// The number of tokens in force.
    public let inForce: Int
    /// The number of registrations so far.
    public let registered: Int
    /// The number of removals so far.
    public let removed: Int
    /// The number of refused registrations.
    public let refused: Int
    /// The number of deliveries so far.
    public let deliveries: Int
    /// Whether the tokens in force exceed the threshold.
    public let isCrowded: Bool
}

extension LifetimeRegistry {
    /// The number of listed tokens in force of each of these owners that has any.
    package func tokensInForce(of owners: [InstanceID]) -> [InstanceID: Int] {
        tokens.withLock { tokens in
            tokens.entries.isEmpty
                ? [:]
                : owners.reduce(into: [:]) { counts, owner in
                    let inForce = tokens.inForce(of: owner)
                    if inForce > 0 { counts[owner] = inForce }
                }
        }
    }
}
