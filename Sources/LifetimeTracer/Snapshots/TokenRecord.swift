/// What a snapshot says of an observer token in force.
public struct TokenRecord: Sendable {
    /// Its id.
    public let id: TokenID
    /// What sort of registration it stands for.
    public let kind: TokenKind
    /// What is observed.
    public let event: String
    /// For whom.
    public let owner: OwnerRecord?
    /// The type of the owner, also where no single owner is known.
    public let ownerType: TypeName?
    /// Where it was registered.
    public let site: SourceSite?
    /// When it was registered.
    public let registeredAt: MonotonicTime
    /// Deliveries so far.
    public let deliveries: UInt64
    /// Whether its owner has gone, for longer than the registry's grace.
    public let isOrphaned: Bool
}

/// Counts of the tokens of one kind, event and owner type since the start.
public struct TokenGroupRecord: Sendable {
    /// The kind.
    public let kind: TokenKind
    /// The event.
    public let event: String
    /// The owner type.
    public let ownerType: TypeName?
    /// Tokens in force.
    public let inForce: UInt64
    /// Registrations so far.
    public let registered: UInt64
    /// Removals so far.
    public let removed: UInt64
    /// Registrations that were refused.
    public let refused: UInt64
    /// Deliveries so far.
    public let deliveries: UInt64
    /// Whether more are in force than the threshold allows.
    public let isCrowded: Bool
}
