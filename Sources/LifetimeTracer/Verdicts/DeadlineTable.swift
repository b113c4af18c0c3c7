/// The deadlines of a registry: which instances must be gone, by when, and why.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``. A heap orders the pending deadlines, so a check
/// visits only those that are due. Cancelled deadlines stay in the heap and are skipped.
struct DeadlineTable: LockedState {
    /// One deadline.
    struct Entry: Sendable {
        let instance: InstanceID
        let type: TypeName
        let cause: DeadlineCause
        let setAt: MonotonicTime
        let within: Duration
        let due: MonotonicTime
        /// Where the program set the deadline.
        let site: SourceSite?
        /// Where the instance was created.
        let creationSite: SourceSite?
    }

    /// An instance that died after its deadline.
    struct Late: Sendable {
        let entry: Entry
        let label: String?
        let owner: InstanceID?
        let goneAt: MonotonicTime
    }

    /// The most deadlines in force at a time.
    let limit: Int
    private(set) var entries = DeadlineEntries()
    private(set) var late: Ring<Late>
    /// The number of elements of ``late`` by type.
    private(set) var lateByType: [TypeName: Int] = [:]
    /// The number of all late instances, including those that `late` no longer holds.
    private(set) var lateCount = 0
    /// The number of deadlines refused because the table was full.
    private(set) var refused = 0

    /// The deadlines that have passed although their instances are live.
    private(set) var overdue: Set<DeadlineID> = []
    /// The overdue instances of each type that has ever had one; bounded by the number of traced types.
    private(set) var overdueByType: [TypeName: OverdueCount] = [:]
    /// The number of missed deadlines of each overdue instance.
    private(set) var overdueByInstance: [InstanceID: Int] = [:]
    /// The deadlines of instances that have exceeded the maximum age of their type.
    private(set) var byAge: Set<DeadlineID> = []
    private var byInstance: [InstanceID: DeadlineIDs] = [:]
    private var heap = MinimumHeap<Due>()

    /// The overdue instances of a type.
    struct OverdueCount: Sendable {
        /// The number of instances that are overdue now.
        var now = 0
        /// The number of times an instance became overdue.
        var ever = 0
    }

    private struct Due: Comparable, Sendable {
        let time: MonotonicTime
        let id: DeadlineID

        static func < (left: Self, right: Self) -> Bool {
            (left.time, left.id) < (right.time, right.id)
        }
    }

    init(limit: Int, lateLimit: Int) {
        self.limit = min(limit, DeadlineEntries.limit)
        late = Ring(limit: lateLimit)
    }

    /// When the next deadline is due.
    var nextDue: MonotonicTime? { heap.first?.time }

    /// Adds a deadline.
    ///
    /// - Returns: The deadline's id, or `nil` if the table is full.
    mutating func add(_ entry: Entry) -> DeadlineID? {
        guard entries.count < limit else {
            refused += 1
            return nil
        }
        let id = entries.add(entry)
        if case .age = entry.cause { byAge.insert(id) }
        if byInstance[entry.instance]?.append(id) == nil { byInstance[entry.instance] = DeadlineIDs(id) }
        heap.insert(Due(time: entry.due, id: id))
        return id
    }

    /// Cancels a deadline.
    mutating func cancel(_ id: DeadlineID) -> Bool {
        guard let entry = entries[id] else { return false }
        entries.remove(id)
        if overdue.remove(id) != nil { forgetOneOverdue(of: entry) }
        byAge.remove(id)
        byInstance[entry.instance] = byInstance[entry.instance]?.without(id)
        dropStaleHeapEntries()
        return true
    }

    /// Cancels the deadlines that an instance got by leaving its tree.
    mutating func cancelLeaving(of instance: InstanceID) {
        for id in byInstance[instance]?.all ?? [] {
            if case .left = entries[id]?.cause { _ = cancel(id) }
        }
    }

    /// Whether an instance has a deadline because it left its tree.
    func hasLeavingDeadline(_ instance: InstanceID) -> Bool {
        (byInstance[instance]?.all ?? []).contains { id in
            if case .left = entries[id]?.cause { true } else { false }
        }
    }

    /// Whether an instance has a deadline because of its age.
    func hasAgeDeadline(_ instance: InstanceID) -> Bool {
        (byInstance[instance]?.all ?? []).contains(where: byAge.contains)
    }

    /// Cancels the deadlines that instances of a type got because of their age.
    mutating func cancelAgeDeadlines(of type: TypeName) {
        for id in byAge where entries[id]?.type == type { _ = cancel(id) }
    }

    /// The number of overdue instances.
    var overdueInstanceCount: Int { overdueByInstance.count }

    /// Finds the deadlines that have passed although their instances are live, and marks them overdue.
    mutating func collectOverdue(at now: MonotonicTime, isLive: (InstanceID) -> Bool) -> [Entry] {
        var found: [Entry] = []
        while let next = heap.first, next.time <= now {
            heap.removeFirst()
            // An instance that has died without a report here is left to `instanceDied`, which gets its time of death.
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

    /// Ends the deadline of an instance that has died, if it has only one and did not miss it.
    ///
    /// This is the usual case. It copies no entry.
    ///
    /// - Returns: Whether that was so; if not, nothing has changed.
    mutating func instanceDiedInTime(_ id: InstanceID, at time: MonotonicTime) -> Bool {
        guard let only = byInstance[id]?.only, overdue.isEmpty || !overdue.contains(only),
            let due = entries.due(only), due >= time
        else { return false }
        byInstance[id] = nil
        entries.remove(only)
        if !byAge.isEmpty { byAge.remove(only) }
        dropStaleHeapEntries()
        return true
    }

    /// Ends the deadlines of an instance that has died.
    ///
    /// - Returns: The earliest deadline that the instance missed, if it missed any.
    mutating func instanceDied(
        _ id: InstanceID, label: String?, owner: InstanceID? = nil, at time: MonotonicTime
    ) -> Entry? {
        guard let ids = byInstance.removeValue(forKey: id) else { return nil }
        // A deadline that was found overdue counts as missed even if no time has passed since it fell due.
        let missed = ids.all.filter { overdue.contains($0) || entries.due($0).map { $0 < time } == true }
            .compactMap { entries[$0] }
        let type = entries[ids.first]?.type
        for id in ids.all { entries.remove(id) }
        overdue.subtract(ids.all)
        byAge.subtract(ids.all)
        if overdueByInstance.removeValue(forKey: id) != nil, let type { overdueByType[type]?.now -= 1 }
        dropStaleHeapEntries()
        guard let first = missed.min(by: { $0.due < $1.due }) else { return nil }
        let forgotten = late.leaving?.entry.type
        late.append(Late(entry: first, label: label, owner: owner, goneAt: time))
        if let type = forgotten, let count = lateByType[type] {
            lateByType[type] = count == 1 ? nil : count - 1
        }
        lateByType[first.type, default: 0] += 1
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
        heap.removeAll { !entries.contains($0.id) }
    }
}
