/// The deadlines of a registry: which instances must be gone, by when, and why.
///
/// Not locked: state inside a lock of ``LifetimeRegistry``. A heap orders the pending deadlines, so a check looks only at
/// those that are due; cancelled ones are left in the heap and skipped.
struct DeadlineTable: LockedState {
    /// One deadline.
    struct Entry: Sendable {
        let instance: InstanceID
        let type: TypeName
        let cause: DeadlineCause
        let setAt: MonotonicTime
        let within: Duration
        let due: MonotonicTime
        /// Where the program said so.
        let site: SourceSite?
        /// Where the instance was created.
        let creationSite: SourceSite?
    }

    /// An instance that went after its deadline.
    struct Late: Sendable {
        let entry: Entry
        let label: String?
        let owner: InstanceID?
        let goneAt: MonotonicTime
    }

    /// The most deadlines in force at a time.
    let limit: Int
    private(set) var entries: [DeadlineID: Entry] = [:]
    private(set) var late: Ring<Late>
    /// All instances that went late, also those that `late` no longer holds.
    private(set) var lateCount: UInt64 = 0
    /// Deadlines that found no room.
    private(set) var refused: UInt64 = 0

    /// The deadlines that have passed while their instances are live.
    private(set) var overdue: Set<DeadlineID> = []
    /// The overdue instances of each type that ever had one; as many entries at most as there are traced types.
    private(set) var overdueByType: [TypeName: OverdueCount] = [:]
    /// How many deadlines each overdue instance has missed.
    private var overdueByInstance: [InstanceID: Int] = [:]
    private var byInstance: [InstanceID: [DeadlineID]] = [:]
    private var heap = MinimumHeap<Due>()
    private var lastID: UInt64 = 0

    /// Overdue instances of a type.
    struct OverdueCount: Sendable {
        /// How many are overdue now.
        var now: UInt64 = 0
        /// How often an instance became overdue.
        var ever: UInt64 = 0
    }

    private struct Due: Comparable, Sendable {
        let time: MonotonicTime
        let id: DeadlineID

        static func < (left: Self, right: Self) -> Bool {
            (left.time, left.id) < (right.time, right.id)
        }
    }

    init(limit: Int, lateLimit: Int) {
        self.limit = limit
        late = Ring(limit: lateLimit)
    }

    /// When the next deadline is due.
    var nextDue: MonotonicTime? { heap.first?.time }

    /// Adds a deadline.
    ///
    /// - Returns: Its id, or `nil` when there is no room for it.
    mutating func add(_ entry: Entry) -> DeadlineID? {
        guard entries.count < limit else {
            refused += 1
            return nil
        }
        lastID += 1
        let id = DeadlineID(rawValue: lastID)
        entries[id] = entry
        byInstance[entry.instance, default: []].append(id)
        heap.insert(Due(time: entry.due, id: id))
        return id
    }

    /// Takes a deadline back.
    mutating func cancel(_ id: DeadlineID) -> Bool {
        guard let entry = entries.removeValue(forKey: id) else { return false }
        if overdue.remove(id) != nil { forgetOneOverdue(of: entry) }
        byInstance[entry.instance]?.removeAll { $0 == id }
        if byInstance[entry.instance]?.isEmpty == true { byInstance[entry.instance] = nil }
        dropStaleHeapEntries()
        return true
    }

    /// Takes back the deadlines that an instance got by leaving its tree.
    mutating func cancelLeaving(of instance: InstanceID) {
        for id in byInstance[instance] ?? [] {
            if case .left = entries[id]?.cause { _ = cancel(id) }
        }
    }

    /// Whether an instance has a deadline because it left its tree.
    func hasLeavingDeadline(_ instance: InstanceID) -> Bool {
        (byInstance[instance] ?? []).contains { id in
            if case .left = entries[id]?.cause { true } else { false }
        }
    }

    /// How many instances are overdue.
    var overdueInstanceCount: Int { overdueByInstance.count }

    /// Finds the deadlines that have passed and whose instances are live, and marks them overdue.
    mutating func collectOverdue(at now: MonotonicTime, isLive: (InstanceID) -> Bool) -> [Entry] {
        var found: [Entry] = []
        while let next = heap.first, next.time <= now {
            heap.removeFirst()
            // One that has died but not yet been reported here is left to `instanceDied`, which knows when it died.
            guard let entry = entries[next.id], isLive(entry.instance) else { continue }
            overdue.insert(next.id)
            let missed = overdueByInstance[entry.instance, default: 0]
            overdueByInstance[entry.instance] = missed + 1
            if missed == 0 {
                overdueByType[entry.type, default: OverdueCount()].now += 1
                overdueByType[entry.type, default: OverdueCount()].ever += 1
            }
            found.append(entry)
        }
        return found
    }

    /// Ends the deadlines of an instance that has gone.
    ///
    /// - Returns: The deadline that it missed first, when it missed one.
    mutating func instanceDied(
        _ id: InstanceID, label: String?, owner: InstanceID? = nil, at time: MonotonicTime
    ) -> Entry? {
        guard let ids = byInstance.removeValue(forKey: id) else { return nil }
        // One that was found overdue is late, even if no time has passed since it fell due.
        let missed = ids.filter { overdue.contains($0) || entries[$0].map { $0.due < time } == true }
            .compactMap { entries[$0] }
        let type = ids.first.flatMap { entries[$0]?.type }
        for id in ids { entries[id] = nil }
        overdue.subtract(ids)
        if overdueByInstance.removeValue(forKey: id) != nil, let type { overdueByType[type]?.now -= 1 }
        dropStaleHeapEntries()
        guard let first = missed.min(by: { $0.due < $1.due }) else { return nil }
        late.append(Late(entry: first, label: label, owner: owner, goneAt: time))
        lateCount += 1
        return first
    }

    private mutating func forgetOneOverdue(of entry: Entry) {
        let left = overdueByInstance[entry.instance, default: 1] - 1
        overdueByInstance[entry.instance] = left == 0 ? nil : left
        if left == 0 { overdueByType[entry.type]?.now -= 1 }
    }

    private mutating func dropStaleHeapEntries() {
        guard heap.count > 2 * entries.count + 64 else { return }
        let pending = entries.filter { !overdue.contains($0.key) }
        heap = MinimumHeap(pending.map { Due(time: $0.value.due, id: $0.key) })
    }
}
