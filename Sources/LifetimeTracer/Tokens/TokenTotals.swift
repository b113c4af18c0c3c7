/// The totals over all observer tokens of a registry.
public struct TokenTotals: Sendable {
    /// The counts of the tokens of one kind.
    public struct KindCount: Sendable {
        /// The kind.
        public let kind: TokenKind
        /// The number of tokens in force.
        public internal(set) var inForce = 0
        /// The number of registrations so far.
        public internal(set) var registered = 0
        /// The number of removals so far.
        public internal(set) var removed = 0

        init(kind: TokenKind) {
            self.kind = kind
        }

        mutating func add(_ counts: TokenTable.Counts) {
            inForce += counts.inForce
            registered += counts.registered
            removed += counts.removed
        }
    }

    /// The number of tokens in force.
    public internal(set) var inForce = 0
    /// The number of registrations so far.
    public internal(set) var registered = 0
    /// The number of removals so far.
    public internal(set) var removed = 0
    /// The number of refused registrations.
    public internal(set) var refused = 0
    /// The number of deliveries so far.
    public internal(set) var deliveries = 0
    /// The number of tokens that have outlived their owners by the registry's grace period.
    public internal(set) var orphaned = 0
    /// The number of crowds: events and owner types with more tokens than their threshold allows.
    public internal(set) var crowded = 0
    /// The counts by kind, in the order of the kinds' names.
    public internal(set) var byKind: [KindCount] = []
}
