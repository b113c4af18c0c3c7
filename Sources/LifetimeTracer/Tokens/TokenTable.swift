/// The observer tokens of a registry, and counts by event and owner type that outlast the tokens.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct TokenTable: LockedState {
    /// One token in force.
    struct Entry: Sendable {
        let group: Group
        let owner: InstanceID?
        let site: SourceSite
        let registeredAt: MonotonicTime
        var deliveries = 0
        /// The time of the owner's death.
        var ownerDiedAt: MonotonicTime?
    }

    /// The properties by which tokens are counted.
    struct Group: Sendable, Hashable {
        let kind: TokenKind
        let event: String
        let ownerType: TypeName?

        var crowd: CrowdTable.Key { CrowdTable.Key(event: event, ownerType: ownerType) }
    }

    /// The counts of a group since the start.
    struct Counts: Sendable {
        var inForce = 0
        var registered = 0
        var removed = 0
        var refused = 0
        var deliveries = 0
    }

    /// The most tokens that are listed; further ones are only counted by group.
    let limit: Int
    /// The most groups.
    static let groupLimit = 4096
    /// Reserved groups beyond ``groupLimit``, one for the other events of each kind.
    private static let kindReserve = 64

    private(set) var entries: [TokenID: Entry] = [:]
    private(set) var groups: [Group: Counts] = [:]
    private(set) var unlistedEver = 0
    /// The number of registrations that are counted in a group of other events.
    private(set) var droppedGroups = 0
    var crowds: CrowdTable
    /// The actions to run after each removal of a token.
    var removalActions: [UInt64: Action] = [:]

    private var byOwner: [InstanceID: Set<TokenID>] = [:]
    // Tokens whose owner has died, before and after the verdict on them was reported.
    private var orphanCandidates: Set<TokenID> = []
    private var reportedOrphans: Set<TokenID> = []
    private var lastID: UInt64 = 0

    /// How long a token may outlast its owner.
    let grace: Duration

    init(limit: Int, grace: Duration, defaultThreshold: Int?) {
        self.limit = limit
        self.grace = grace
        crowds = CrowdTable(defaultThreshold: defaultThreshold)
    }

    /// What the table gives for a registration: the part of it that the token carries.
    struct Receipt: Sendable {
        let id: TokenID
        /// The group under which the registration is counted.
        let group: Group
    }

    /// Records a registration.
    ///
    /// - Returns: The part that the token carries, and its crowd if the crowd has just exceeded its threshold.
    mutating func register(
        _ group: Group, owner: InstanceID?, site: SourceSite, at time: MonotonicTime
    ) -> (receipt: Receipt, crowd: CrowdTable.Passed?) {
        lastID += 1
        let id = TokenID(rawValue: lastID)
        let counted = countedGroup(group)
        groups[counted, default: Counts()].inForce += 1
        groups[counted, default: Counts()].registered += 1
        if entries.count < limit {
            entries[id] = Entry(group: group, owner: owner, site: site, registeredAt: time)
            if let owner { byOwner[owner, default: []].insert(id) }
        } else {
            unlistedEver += 1
        }
        return (Receipt(id: id, group: counted), crowds.add(counted.crowd))
    }

    mutating func remove(_ receipt: Receipt) {
        let (id, group) = (receipt.id, receipt.group)
        let entry = entries.removeValue(forKey: id)
        groups[group]?.inForce -= 1
        groups[group]?.removed += 1
        crowds.remove(group.crowd)
        orphanCandidates.remove(id)
        reportedOrphans.remove(id)
        guard let owner = entry?.owner else { return }
        byOwner[owner]?.remove(id)
        if byOwner[owner]?.isEmpty == true { byOwner[owner] = nil }
    }

    mutating func refuse(_ group: Group) {
        groups[countedGroup(group), default: Counts()].refused += 1
    }

    mutating func deliver(_ receipt: Receipt) {
        entries[receipt.id]?.deliveries += 1
        groups[receipt.group]?.deliveries += 1
    }

    /// Records the death of an owner.
    ///
    /// - Returns: Whether it left tokens behind.
    mutating func ownerDied(_ owner: InstanceID, at time: MonotonicTime) -> Bool {
        guard let ids = byOwner[owner] else { return false }
        // Tokens that an earlier call marked keep their time and their verdict.
        let newly = ids.filter { entries[$0]?.ownerDiedAt == nil }
        for id in newly { entries[id]?.ownerDiedAt = time }
        orphanCandidates.formUnion(newly)
        return !newly.isEmpty
    }

    /// Finds the tokens that are orphaned now, and marks them as reported.
    mutating func collectOrphans(at now: MonotonicTime) -> [Entry] {
        var found: [Entry] = []
        for id in orphanCandidates.sorted() {
            guard let entry = entries[id], isOrphaned(entry, at: now) else { continue }
            orphanCandidates.remove(id)
            reportedOrphans.insert(id)
            found.append(entry)
        }
        return found
    }

    /// The number of listed tokens of an owner.
    func inForce(of owner: InstanceID) -> Int { byOwner[owner]?.count ?? 0 }

    /// The totals over all tokens and groups.
    func totals(at now: MonotonicTime) -> TokenTotals {
        var totals = TokenTotals()
        var byKind: [TokenKind: TokenTotals.KindCount] = [:]
        for (group, counts) in groups {
            totals.inForce += counts.inForce
            totals.registered += counts.registered
            totals.removed += counts.removed
            totals.refused += counts.refused
            totals.deliveries += counts.deliveries
            byKind[group.kind, default: TokenTotals.KindCount(kind: group.kind)].add(counts)
        }
        totals.orphaned =
            reportedOrphans.count
            + orphanCandidates.count { id in
                entries[id].map { isOrphaned($0, at: now) } ?? false
            }
        totals.crowded = crowds.crowded.count
        totals.byKind = byKind.values.sorted { $0.kind.rawValue < $1.kind.rawValue }
        return totals
    }

    /// Whether a token has outlasted its owner by the grace period or more.
    func isOrphaned(_ entry: Entry, at now: MonotonicTime) -> Bool {
        entry.ownerDiedAt.map { $0 + grace <= now } ?? false
    }

    /// When the next token becomes orphaned, if it is still in force then.
    var nextOrphan: MonotonicTime? {
        orphanCandidates.lazy.compactMap { entries[$0]?.ownerDiedAt }.min().map { $0 + grace }
    }

    private mutating func countedGroup(_ group: Group) -> Group {
        guard groups[group] == nil, groups.count >= Self.groupLimit else { return group }
        droppedGroups += 1
        let ofKind = Group(kind: group.kind, event: "(other events)", ownerType: nil)
        // The number of kinds is bounded too, because a program can invent kinds without end.
        let hasRoom = groups[ofKind] != nil || groups.count < Self.groupLimit + Self.kindReserve
        return hasRoom ? ofKind : Group(kind: .other, event: "(other events)", ownerType: nil)
    }
}
