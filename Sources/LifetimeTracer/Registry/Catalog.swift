import CLifetimeRuntime

/// What a registry knows of types, contexts and ceilings: all that births and deaths seldom need.
///
/// Not locked: the state inside the lock of ``InstanceStore``. Under that lock the stripes may be locked, never the other way
/// round.
struct Catalog: LockedState {
    var types: TypeTable
    var contexts: ContextTable
    /// The ceiling of all instances together.
    var ceiling = Ceiling()
    /// Live instances that are counted but not listed.
    private(set) var unlisted: UInt64 = 0
    private(set) var unlistedEver: UInt64 = 0
    private var unlistedPeak: UInt64 = 0

    private let core: RegistryCore

    init(of registry: RegistryCore, limits: InstanceStore.Limits) {
        core = registry
        types = TypeTable(of: registry, limit: limits.types)
        contexts = ContextTable(of: registry, limit: limits.contexts, stackLimit: limits.creationStacks)
    }

    /// Counts a birth that cannot be listed.
    ///
    /// - Returns: Its handle, or the one for what is not traced when it cannot even be counted.
    mutating func recordUnlistedBirth(of type: TypeIndex) -> lt_handle {
        let slot = types[type].slot
        guard Stripes.withOwn(counting: slot, { _ in true }) != nil else { return LT_UNTRACED }
        lt_count_unlisted(slot)
        types[type].unlisted += 1
        types[type].unlistedPeak = max(types[type].unlistedPeak, types[type].unlisted)
        unlisted += 1
        unlistedEver += 1
        unlistedPeak = max(unlistedPeak, unlisted)
        let payload = lt_give_id(core.pointer) & (1 << UInt64.idBitsInHandle - 1)
        return payload << UInt64(LT_PAYLOAD_SHIFT) | LT_UNLISTED | UInt64(slot)
    }

    /// Counts the death of an instance that was not listed.
    mutating func recordUnlistedDeath(_ handle: lt_handle) {
        let slot = UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)
        let type = TypeIndex(rawValue: Int32(lt_type_at(slot).position))
        precondition(types[type].unlisted > 0, "more deaths than births past the limit")
        types[type].unlisted -= 1
        unlisted -= 1
    }

    /// Sums over all stripes, of each type and of all.
    struct Sums {
        fileprivate var types: [lt_count]
        fileprivate var total = lt_count()
        fileprivate var lastID = InstanceID(rawValue: 0)
    }

    /// Room for the sums, made before the stripes are locked.
    func makeSums() -> Sums {
        Sums(types: Array(repeating: lt_count(), count: types.entries.count))
    }

    /// Takes the sums of this instant.
    ///
    /// All stripes are locked by the caller.
    func take(_ sums: inout Sums) {
        sums.lastID = InstanceID(rawValue: lt_last_id(core.pointer))
        for stripe in Stripes.all {
            sums.total.add(stripe, core.total)
            for position in types.entries.indices { sums.types[position].add(stripe, types.entries[position].slot) }
        }
    }

    /// The counters that follow from sums.
    func counters(_ sums: Sums, at time: MonotonicTime) -> InstanceStore.Counters {
        var entries = types.entries
        // Those past a limit are there when what is listed is at its most, so their peaks add up; if not, the sum is too high.
        for position in entries.indices {
            let (entry, sum) = (entries[position], sums.types[position])
            let listed = UInt64(entry.ceiling.value - sum.room)
            entries[position].born = sum.born
            entries[position].died = sum.born - listed - entry.unlisted
            entries[position].peak = entry.ceiling.peak(unused: sum.low) + entry.unlistedPeak
        }
        return InstanceStore.Counters(
            at: time, born: entries.reduce(0) { $0 + $1.born }, died: entries.reduce(0) { $0 + $1.died },
            peak: ceiling.peak(unused: sums.total.low) + unlistedPeak, types: entries, unlisted: unlisted,
            unlistedEver: unlistedEver, droppedTypes: types.dropped, droppedStacks: contexts.droppedStacks,
            droppedContexts: contexts.dropped, lastID: sums.lastID)
    }

    /// Frees what is kept outside this value.
    ///
    /// Nothing that was born in the registry is live.
    func free() {
        lt_lock_all()
        let slots = types.slots + [core.total]
        for stripe in Stripes.all {
            for slot in slots where slot < stripe.pointee.count_size {
                stripe.pointee.counts[Int(slot)] = lt_count()
            }
        }
        lt_unlock_all()
        contexts.free()
        TypeTable.giveBackSlots(slots)
    }
}

extension lt_count {
    /// Adds what a stripe has counted under an index.
    fileprivate mutating func add(_ stripe: UnsafeMutablePointer<lt_stripe>, _ slot: UInt32) {
        guard let count = stripe.count(of: slot) else { return }
        born += count.born
        room += count.room
        low += count.low
    }
}
