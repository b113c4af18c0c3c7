/// Sums over all observer tokens of a registry.
public struct TokenTotals: Sendable {
    /// Counts of the tokens of one kind.
    public struct KindCount: Sendable {
        /// The kind.
        public let kind: TokenKind
        /// Tokens in force.
        public internal(set) var inForce: UInt64 = 0
        /// Registrations so far.
        public internal(set) var registered: UInt64 = 0
        /// Removals so far.
        public internal(set) var removed: UInt64 = 0

        init(kind: TokenKind) {
            self.kind = kind
        }

        mutating func add(_ counts: TokenTable.Counts) {
            inForce += counts.inForce
            registered += counts.registered
            removed += counts.removed
        }
    }

    /// Tokens in force.
    public internal(set) var inForce: UInt64 = 0
    /// Registrations so far.
    public internal(set) var registered: UInt64 = 0
    /// Removals so far.
    public internal(set) var removed: UInt64 = 0
    /// Registrations that were refused.
    public internal(set) var refused: UInt64 = 0
    /// Deliveries so far.
    public internal(set) var deliveries: UInt64 = 0
    /// Tokens whose owner has gone, for longer than the registry's grace.
    public internal(set) var orphaned = 0
    /// Groups of kind, event and owner type with more tokens than their threshold.
    public internal(set) var crowded = 0
    /// Tokens by kind, in the order of their names.
    public internal(set) var byKind: [KindCount] = []
}
