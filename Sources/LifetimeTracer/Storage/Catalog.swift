import CLifetimeRuntime

/// The types, contexts and ceilings of a registry, which births and deaths seldom need.
///
/// Has no lock of its own: it is the state inside the lock of ``InstanceStore``. Stripes may be claimed under that
/// lock, but that lock must not be taken while a stripe is claimed or entered.
struct Catalog: LockedState {
    var types: TypeTable
    var contexts: ContextTable
    /// The ceiling of all instances of the registry.
    var ceiling = Ceiling()
    /// Live instances that are counted but not listed.
    private(set) var unlisted = 0
    private(set) var unlistedEver = 0
    private var unlistedPeak = 0

    private let core: RegistryCore

    init(of registry: RegistryCore, limits: InstanceStore.Limits) {
        core = registry
        types = TypeTable(of: registry, limit: limits.types)
        contexts = ContextTable(of: registry, limit: limits.contexts, stackLimit: limits.creationStacks)
    }

    /// Counts a birth that cannot be listed.
    ///
    /// - Returns: The instance's handle, or the handle of an untraced object if not even counting is possible.
    mutating func recordUnlistedBirth(of type: TypeIndex) -> lt_handle {
        let slot = types[type].slot
        guard lt_adopt_stripe() != nil else { return LT_UNTRACED }
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
        precondition(types[type].unlisted > 0, "more deaths than births of unlisted instances")
        types[type].unlisted -= 1
        unlisted -= 1
    }

    /// The sums of the counters of all stripes, for each type and in total.
    struct Sums {
        fileprivate var types: [lt_count]
        fileprivate var total = lt_count()
        fileprivate var lastID = InstanceID(rawValue: 0)
    }

    /// Allocates the sums before the stripes are claimed.
    func makeSums() -> Sums {
        Sums(types: Array(repeating: lt_count(), count: types.entries.count))
    }

    /// Takes the sums at this instant.
    ///
    /// The caller must have claimed all stripes.
    func take(_ sums: inout Sums) {
        sums.lastID = InstanceID(rawValue: lt_last_id(core.pointer))
        for stripe in Stripes.all {
            sums.total.add(stripe, core.total)
            for position in types.entries.indices { sums.types[position].add(stripe, types.entries[position].slot) }
        }
    }

    /// Derives the counters from sums.
    func counters(_ sums: Sums, at time: MonotonicTime) -> InstanceStore.Counters {
        var entries = types.entries
        // Unlisted instances exist only while the listed ones are at their peak, so the peaks add up. If that does not
        // hold, the sum is too high.
        var (born, died) = (0, 0)
        // In place, because each copy of an entry retains its names.
        entries.withUnsafeMutableBufferPointer { entries in
            for position in entries.indices {
                let sum = sums.types[position]
                let listed = Int(entries[position].ceiling.value - sum.room)
                entries[position].born = Int(sum.born)
                entries[position].died = Int(sum.born) - listed - entries[position].unlisted
                entries[position].peak =
                    entries[position].ceiling.peak(unused: sum.low) + entries[position].unlistedPeak
                born += entries[position].born
                died += entries[position].died
            }
        }
        return InstanceStore.Counters(
            at: time, born: born, died: died,
            peak: ceiling.peak(unused: sums.total.low) + unlistedPeak, types: entries, unlisted: unlisted,
            unlistedEver: unlistedEver, droppedTypes: types.dropped, droppedStacks: contexts.droppedStacks,
            droppedContexts: contexts.dropped, lastID: sums.lastID)
    }

    /// Frees the memory that this value references.
    ///
    /// No instance of the registry may be live.
    func free() {
        lt_claim_all()
        let slots = types.slots + [core.total]
        for stripe in Stripes.all {
            for slot in slots { stripe.pointee.counts[Int(slot)] = lt_count() }
        }
        lt_release_all()
        contexts.free()
        TypeTable.giveBackSlots(slots)
    }
}

extension lt_count {
    fileprivate var room: Int64 { floor + spare }

    /// Adds the counter of a stripe at an index.
    fileprivate mutating func add(_ stripe: UnsafeMutablePointer<lt_stripe>, _ slot: UInt32) {
        let count = stripe.count(of: slot)
        born += count.born
        floor += count.floor
        spare += count.spare
        low += count.low
    }
}
