import LifetimeTracer

/// Counts of observer tokens since the start, summed by event or by owner type.
struct TokenGrouping: Sendable {
    /// The property by which tokens are grouped.
    enum Key: String, Sendable, CaseIterable {
        case event
        case ownerType
    }

    /// The sums for one event or one owner type.
    struct Group: Sendable {
        /// The event or the owner type; `nil` for tokens without an owner.
        let name: String?
        var kinds: Set<String> = []
        var inForce = 0
        var orphaned = 0
        var registered = 0
        var removed = 0
        var refused = 0
        var deliveries = 0
        var isCrowded = false

        init(name: String?) {
            self.name = name
        }
    }

    /// The groups, most tokens in force first.
    let groups: [Group]

    /// Sums the records that `isIncluded` accepts.
    ///
    /// - Parameter orphanedFirst: Whether to sort by the number of orphaned tokens first.
    init(
        _ snapshot: Snapshot, by key: Key, orphanedFirst: Bool = false,
        where isIncluded: (TokenKind, String, TypeName?) -> Bool
    ) {
        var groups: [String?: Group] = [:]
        for record in snapshot.tokenGroups where isIncluded(record.kind, record.event, record.ownerType) {
            let name = key == .event ? record.event : record.ownerType?.qualified
            groups[name, default: Group(name: name)].add(record)
        }
        for token in snapshot.tokens where token.isOrphaned && isIncluded(token.kind, token.event, token.ownerType) {
            groups[key == .event ? token.event : token.ownerType?.qualified]?.orphaned += 1
        }
        self.groups = groups.values.sorted { left, right in
            if orphanedFirst, left.orphaned != right.orphaned { return left.orphaned > right.orphaned }
            return (right.inForce, left.name ?? "") < (left.inForce, right.name ?? "")
        }
    }
}

extension TokenGrouping.Group {
    fileprivate mutating func add(_ record: TokenGroupRecord) {
        kinds.insert(record.kind.rawValue)
        inForce += record.inForce
        registered += record.registered
        removed += record.removed
        refused += record.refused
        deliveries += record.deliveries
        isCrowded = isCrowded || record.isCrowded
    }
}
