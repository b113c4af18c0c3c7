import CLifetimeRuntime

/// The interface to the registry's storage of births, deaths and live instances.
///
/// The rest of the core accesses storage through these methods; snapshots also read ``Cut``, and the summary of buffers
/// the size of ``RecordArena``. The storage reports the deaths of watched instances to its ``owner``. A birth or a
/// death enters only its own thread's stripe, without a locked instruction, and writes no memory that other threads
/// write. `CLifetimeRuntime` does the work, and calls this class when a resource is missing or more than counting is
/// needed.
final class InstanceStore: Sendable {
    /// The limits of the storage.
    struct Limits: Sendable {
        /// The most live instances that are listed; further ones are only counted.
        var instances = 4_000_000
        /// The most types with entries of their own.
        var types = 65_536
        /// The most contexts; instances of further ones are only counted.
        var contexts = 500_000
        /// The most distinct creation stacks; further instances have no stack.
        var creationStacks = 100_000
        /// The most deaths that are remembered, so that an error can say when an instance died.
        var rememberedDeaths = 4096
    }

    /// The counters at one instant.
    struct Counters: Sendable {
        let at: MonotonicTime
        var born = 0
        var died = 0
        var peak = 0
        var types: [TypeTable.Entry] = []
        /// Live instances that are counted but not listed.
        var unlisted = 0
        var unlistedEver = 0
        var droppedTypes = 0
        var droppedStacks = 0
        var droppedContexts = 0
        var lastID = InstanceID(rawValue: 0)

        var live: Int { born - died }
        /// The number of live instances with records.
        var listed: Int { live - unlisted }
    }

    /// The limits of the storage.
    let limits: Limits
    let core: RegistryCore
    let clock: any TracerClock
    let timebase: Timebase
    let catalog: Locked<Catalog>
    /// The oldest live instances by type.
    let oldest = Locked(OldestInstances())
    /// The object that the live instances of a scoped store retain, and that handles the deaths of watched instances.
    ///
    /// `nonisolated(unsafe)` and `unowned(unsafe)` are safe because the owner is set once, before the first birth, and
    /// holds the store for as long as it lives. The store is used only by the owner, and by instances that retain it.
    private(set) nonisolated(unsafe) unowned(unsafe) var owner: (any InstanceStoreOwner)?

    /// - Parameter isShared: Whether this is the storage of the shared registry, of which there is only one.
    init(clock: any TracerClock, limits: Limits = Limits(), isShared: Bool = false) {
        self.clock = clock
        self.limits = limits
        guard let core = isShared ? .shared : RegistryCore.scoped() else {
            preconditionFailure("more than \(1 << LT_TYPE_BITS) types and registries exist at the same time")
        }
        self.core = core
        timebase = Timebase(clock: clock)
        core.pointer.pointee.has_own_clock = !timebase.usesTicks
        catalog = Locked(Catalog(of: core, limits: limits))
        core.setStore(self)
        lt_make_death_ring(core.pointer, limits.rememberedDeaths)
    }

    /// Sets the owner.
    ///
    /// Must be called before the first birth, and at most once.
    func setOwner(_ owner: any InstanceStoreOwner) {
        self.owner = owner
        core.setOwner(owner)
    }

    deinit {
        // The shared registry is never destroyed. Another registry has no live instances at this point, because they
        // would retain it.
        catalog.withLock { $0.free() }
        core.free()
    }

    // MARK: Handles

    /// Returns the id of the instance that carries a handle.
    static func id(of handle: lt_handle) -> InstanceID {
        if handle.isUntraced { return UntracedInstances.id(of: handle) }
        let core = RegistryCore(pointer: lt_type_at(UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)).registry)
        guard handle & LT_UNLISTED == 0 else {
            // The handle holds the low bits of the id. The high bits are those of the last id, or one less if the low
            // bits have rolled over since.
            let payload = handle >> UInt64(LT_PAYLOAD_SHIFT)
            return InstanceID(rawValue: lt_last_id(core.pointer).lastValue(withLowBits: payload))
        }
        let place = lt_place(handle)
        var record = lt_record()
        guard lt_read_record(place, &record) else { preconditionFailure("a live instance has no record") }
        // A caller that has the id may ask for the death later. A scoped registry remembers all deaths.
        if record.word0 & (LT_NOTED | LT_SCOPED) == 0 {
            _ = lt_flag_record(place, core.pointer, record.word0 & LT_ID_MASK, LT_NOTED)
        }
        return InstanceID(rawValue: record.word0 & LT_ID_MASK, place: UInt(bitPattern: place))
    }

    /// Returns the owner of the scoped store of the instance that carries a handle; `nil` if the store is the shared
    /// one.
    static func scopedOwner(of handle: lt_handle) -> (any InstanceStoreOwner)? {
        if handle.isUntraced { return nil }
        let core = RegistryCore(pointer: lt_type_at(UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)).registry)
        return core.isScoped ? core.store?.owner : nil
    }

    // MARK: Births

    /// Records a birth in this registry.
    func recordBirth(of type: Any.Type, at site: SiteKey) -> lt_handle {
        let isOff = lt_mode() & UInt32(LT_MODE_OFF) != 0
        guard !isOff, lt_has_stacks(core.pointer) else {
            // A walked stack belongs to this birth and to no later one.
            lt_drop_walked_stack()
            return isOff ? UntracedInstances.recordBirth() : recordBirth(of: type, at: site, nil)
        }
        var walked = lt_stack()
        if !lt_take_walked_stack(&walked) { lt_walk_stack(&walked) }
        return recordBirth(of: type, at: site, &walked)
    }

    private func recordBirth(
        of type: Any.Type, at site: SiteKey, _ stack: UnsafePointer<lt_stack>?
    ) -> lt_handle {
        // The context of a type that is left out has no stack.
        if stack != nil, isLeftOut(knownContext(of: type, at: site, 0)) { return UntracedInstances.recordBirth() }
        if let known = knownContext(of: type, at: site, stack?.pointee.hash ?? 0) {
            if isLeftOut(known) { return UntracedInstances.recordBirth() }
            let typeIndex = TypeIndex(rawValue: Int32(lt_type_at(known.pointee.type).position))
            return retaining(recordBirth(in: known, typeIndex))
        }
        let found = catalog.withLock { catalog -> (TypeIndex, UInt?)? in
            guard let index = catalog.types.indexOfBorn(type) else {
                catalog.contexts.leaveOut(type, at: site)
                return nil
            }
            let slot = catalog.types[index].slot
            return (
                index,
                catalog.contexts.context(for: type, at: site, stack: stack?.pointee, typeIndex: index, slot: slot)
                    .map(UInt.init)
            )
        }
        guard let (typeIndex, context) = found else { return UntracedInstances.recordBirth() }
        let handle = context.flatMap(UnsafeMutablePointer<lt_context>.init(bitPattern:)).map {
            recordBirth(in: $0, typeIndex)
        }
        return retaining(handle ?? recordUnlistedBirth(of: typeIndex))
    }

    /// Whether a context says that a rule leaves its type out.
    private func isLeftOut(_ context: UnsafeMutablePointer<lt_context>?) -> Bool {
        context?.pointee.type == UInt32(LT_NO_TYPE)
    }

    /// Finds the context of a birth without a lock, as births outside of a scope do.
    private func knownContext(
        of type: Any.Type, at site: SiteKey, _ hashOfStack: UInt64
    ) -> UnsafeMutablePointer<lt_context>? {
        let metatype = UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type)))
        let file = UnsafeRawPointer(bitPattern: site.file)
        return lt_find_context(core.pointer, metatype, file, UInt64(site.line) | hashOfStack)
    }

    /// Makes the owner outlive the recorded instance of a scoped store; balanced in `recordDeathInFull`.
    private func retaining(_ recorded: lt_handle) -> lt_handle {
        if core.isScoped, !recorded.isUntraced { retainOwner() }
        return recorded
    }

    /// Makes the owner live until the balancing ``releaseOwner()``.
    ///
    /// The caller must hold the owner meanwhile. The first of all callers retains it for the others.
    func retainOwner() {
        if lt_join_holders(core.pointer) { return }
        // Retained before it is counted, so that a count always stands for a retain, also in the child of a fork
        // between these two steps.
        core.retainOwner()
        if !lt_add_holder(core.pointer) { core.releaseOwner() }
    }

    /// Balances ``retainOwner()``; the owner may then be destroyed.
    func releaseOwner() {
        if lt_remove_holder(core.pointer) { core.releaseOwner() }
    }

    private func recordUnlistedBirth(of type: TypeIndex) -> lt_handle {
        catalog.withLock { $0.recordUnlistedBirth(of: type) }
    }

    private func recordBirth(in context: UnsafeMutablePointer<lt_context>, _ type: TypeIndex) -> lt_handle {
        while true {
            let handle = lt_birth_in(context, timebase.now(clock))
            guard handle < UInt64(LT_FIRST_TYPE) else { return handle }
            guard provide(Int32(truncatingIfNeeded: handle), for: context, type) else {
                return recordUnlistedBirth(of: type)
            }
        }
    }

    /// Provides the calling thread's stripe with a resource that a birth needs.
    private func provide(_ need: Int32, for context: UnsafeMutablePointer<lt_context>, _ type: TypeIndex) -> Bool {
        switch need {
        case Int32(LT_NEEDS_STRIPE): lt_adopt_stripe() != nil
        case Int32(LT_NEEDS_TOTAL_ROOM):
            catalog.withLock { $0.ceiling.provideRoom(for: core.total, limit: Int64(limits.instances)) }
        case Int32(LT_NEEDS_ROOM):
            catalog.withLock { $0.types[type].ceiling.provideRoom(for: context.pointee.type) }
        case Int32(LT_NEEDS_RECORDS): RecordArena.refill()
        default: preconditionFailure("a birth returned the unknown need \(need)")
        }
    }

    // MARK: Deaths

    /// Records a death that needs more than counting.
    ///
    /// That is the death of an instance of a scoped registry, of a watched or noted instance, or of any instance while
    /// a snapshot is being copied.
    static func recordDeathInFull(_ handle: lt_handle) {
        guard !handle.isUntraced else { return UntracedInstances.recordDeath(handle) }
        let slot = UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)
        let core = RegistryCore(pointer: lt_type_at(slot).registry)
        // This instance retains the owner of a scoped store, and the owner holds the store.
        core.unretainedStore?._withUnsafeGuaranteedRef { store in
            if let death = store.recordDeath(handle) {
                store.owner?.watchedInstanceDied(death.id, watchedFor: death.reasons, at: death.time)
            }
            // Balances the call in `retaining`. Afterwards, the store may be gone.
            if core.isScoped { store.releaseOwner() }
        }
    }

    /// Records a death in this registry.
    ///
    /// - Returns: The id and the time of death of a watched instance, and why it was watched; `nil` for any other.
    @discardableResult
    func recordDeath(_ handle: lt_handle) -> (id: InstanceID, reasons: WatchReasons, time: MonotonicTime)? {
        let slot = UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)
        guard handle & LT_UNLISTED == 0 else {
            catalog.withLock { $0.recordUnlistedDeath(handle) }
            return nil
        }
        guard lt_adopt_stripe() != nil else { return nil }
        let record = lt_death_in(handle)
        precondition(record.word0 & LT_LIVE != 0, "an instance died twice")
        if lt_own_stripe().pointee.free_count >= UInt64(LT_FREE_BATCH) { RecordArena.setBatchAside() }
        let reasons = WatchReasons(rawValue: record.word0 & LT_WATCHED)
        guard !reasons.isEmpty || core.isScoped || record.word0 & LT_NOTED != 0 else { return nil }
        guard !reasons.isEmpty else {
            remember(record, slot, diedAt: timebase.now(clock))
            return nil
        }
        let now = clock.now()
        remember(record, slot, diedAt: Self.isExact | now.nanoseconds)
        return (InstanceID(rawValue: record.word0 & LT_ID_MASK), reasons, now)
    }
}

extension lt_record {
    /// The index of the record's context.
    var context: UInt32 { UInt32(truncatingIfNeeded: word1 & (1 << UInt64(LT_CONTEXT_BITS) - 1)) }
}

extension UInt64 {
    /// The bits of an id that the handle of an unlisted instance has room for.
    static let idBitsInHandle = 64 - UInt64(LT_PAYLOAD_SHIFT)

    /// The greatest number up to this one with these low bits.
    func lastValue(withLowBits bits: UInt64) -> UInt64 {
        let step: UInt64 = 1 << Self.idBitsInHandle
        let candidate = self & ~(step - 1) | bits
        return candidate <= self ? candidate : candidate &- step
    }
}
