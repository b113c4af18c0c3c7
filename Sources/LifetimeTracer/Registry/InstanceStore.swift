import CLifetimeRuntime

/// The narrow face of the registry's storage: who was born, who died, who is live.
///
/// All that the rest of the core knows of storage are the methods here. A birth or a death takes one lock that no other thread
/// wants, that of its thread's stripe, and touches nothing that other threads write; it is done in `CLifetimeRuntime`, and comes
/// here when something is missing or is wanted beyond the count.
final class InstanceStore: Sendable {
    /// How much is kept.
    struct Limits: Sendable {
        /// Live instances that are listed; more are counted only.
        var instances = 4_000_000
        /// Types with an entry of their own.
        var types = 65_536
        /// Types by creation site and creation stack; instances of more are counted only.
        var contexts = 500_000
        /// Creation stacks that are told apart; more instances have none.
        var creationStacks = 100_000
        /// Deaths that are remembered, to answer "it died at …".
        var rememberedDeaths = 4096
    }

    /// What is remembered of an instance that has gone.
    struct Death: Sendable {
        let id: InstanceID
        let type: TypeName
        let bornAt: MonotonicTime
        let diedAt: MonotonicTime
    }

    /// The counters at one instant.
    struct Counters: Sendable {
        let at: MonotonicTime
        var born: UInt64 = 0
        var died: UInt64 = 0
        var peak: UInt64 = 0
        var types: [TypeTable.Entry] = []
        /// Live instances that are counted but not listed.
        var unlisted: UInt64 = 0
        var unlistedEver: UInt64 = 0
        var droppedTypes: UInt64 = 0
        var droppedStacks: UInt64 = 0
        var droppedContexts: UInt64 = 0
        var lastID = InstanceID(rawValue: 0)

        var live: UInt64 { born - died }
    }

    /// How much is kept.
    let limits: Limits
    let core: RegistryCore
    let clock: any TracerClock
    let timebase: Timebase
    let catalog: Locked<Catalog>
    private let deaths: Locked<Ring<Death>>

    /// - Parameters:
    ///   - isShared: Whether this is the storage of the shared registry, of which there is one.
    init(clock: any TracerClock, limits: Limits = Limits(), isShared: Bool = false) {
        self.clock = clock
        self.limits = limits
        guard let core = isShared ? .shared : RegistryCore.scoped() else {
            preconditionFailure("more than \(1 << LT_TYPE_BITS) types and registries at a time")
        }
        self.core = core
        timebase = Timebase(clock: clock)
        catalog = Locked(Catalog(of: core, limits: limits))
        deaths = Locked(Ring(limit: limits.rememberedDeaths))
    }

    deinit {
        // The shared registry is never destroyed; of another one nothing is live, or it would be retained.
        catalog.withLock { $0.free() }
        core.free()
    }

    // MARK: Handles

    /// The id of the instance that carries a handle.
    static func id(of handle: lt_handle) -> InstanceID {
        if handle.isUntraced { return UntracedInstances.id(of: handle) }
        let core = RegistryCore(pointer: lt_type_at(UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)).registry)
        guard handle & LT_UNLISTED == 0 else {
            // The low bits are in the handle; the others are those of the last id, or one less when they have rolled over since.
            let payload = handle >> UInt64(LT_PAYLOAD_SHIFT)
            return InstanceID(rawValue: lt_last_id(core.pointer).lastValue(withLowBits: payload))
        }
        let place = lt_place(handle)
        var record = lt_record()
        guard lt_read_record(place, &record) else { preconditionFailure("the record of a live instance is gone") }
        // Who asks for the id may ask for its death later. In a registry of one's own all are remembered.
        if record.word0 & (LT_NOTED | LT_SCOPED) == 0 {
            _ = lt_flag_record(place, core.pointer, record.word0 & LT_ID_MASK, LT_NOTED)
        }
        return InstanceID(rawValue: record.word0 & LT_ID_MASK, place: UInt(bitPattern: place))
    }

    /// The registry of the instance that carries a handle.
    static func registry(of handle: lt_handle) -> LifetimeRegistry {
        if handle.isUntraced { return .shared }
        let core = RegistryCore(pointer: lt_type_at(UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)).registry)
        guard core.isScoped, let owner = core.owner else { return .shared }
        return owner.takeUnretainedValue()
    }

    // MARK: Births

    /// Records a birth here.
    func recordBirth(of type: Any.Type, at site: SourceSite) -> lt_handle {
        // Taken in any case: it is this birth's, if it is there, and no later one's.
        var walked = lt_stack()
        let isWalked = lt_take_walked_stack(&walked)
        if lt_mode() & UInt32(LT_MODE_OFF) != 0 { return UntracedInstances.recordBirth() }
        var stack: lt_stack?
        if lt_has_stacks(core.pointer) {
            if !isWalked { lt_walk_stack(&walked) }
            stack = walked
        }
        let (typeIndex, context) = catalog.withLock { catalog in
            let index = catalog.types.index(of: type)
            let slot = catalog.types[index].slot
            return (
                index,
                catalog.contexts.context(for: type, at: site, stack: stack, typeIndex: index, slot: slot).map(UInt.init)
            )
        }
        let handle = context.flatMap(UnsafeMutablePointer<lt_context>.init(bitPattern:)).map {
            recordBirth(in: $0, typeIndex)
        }
        let recorded = handle ?? catalog.withLock { $0.recordUnlistedBirth(of: typeIndex) }
        // Released in `recordDeathInFull`.
        if core.isScoped, !recorded.isUntraced { _ = core.owner?.retain() }
        return recorded
    }

    private func recordBirth(in context: UnsafeMutablePointer<lt_context>, _ type: TypeIndex) -> lt_handle {
        while true {
            let handle = lt_birth_in(context, timebase.now(clock))
            guard handle < UInt64(LT_FIRST_TYPE) else { return handle }
            guard provide(Int32(truncatingIfNeeded: handle), for: context, type) else {
                return catalog.withLock { $0.recordUnlistedBirth(of: type) }
            }
        }
    }

    /// Provides the calling thread's stripe with what it lacks for a birth.
    private func provide(_ need: Int32, for context: UnsafeMutablePointer<lt_context>, _ type: TypeIndex) -> Bool {
        switch need {
        case Int32(LT_NEEDS_STRIPE): lt_adopt_stripe() != nil
        case Int32(LT_NEEDS_COUNTS):
            Stripes.withOwn(counting: max(core.total, context.pointee.type)) { _ in true } ?? false
        case Int32(LT_NEEDS_TOTAL_ROOM):
            catalog.withLock { $0.ceiling.provideRoom(for: core.total, limit: Int64(limits.instances)) }
        case Int32(LT_NEEDS_ROOM):
            catalog.withLock { $0.types[type].ceiling.provideRoom(for: context.pointee.type) }
        case Int32(LT_NEEDS_RECORDS): RecordArena.refill()
        default: preconditionFailure("a birth needs \(need), which is not known")
        }
    }

    // MARK: Deaths

    /// Records a death that is more than a count: of an instance of a scoped registry, of one that somebody wants to hear of or
    /// was told of, or while a snapshot is being copied.
    static func recordDeathInFull(_ handle: lt_handle) {
        guard !handle.isUntraced else { return UntracedInstances.recordDeath(handle) }
        let slot = UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)
        let owner = lt_type_at(slot)
        let core = RegistryCore(pointer: owner.registry)
        // One that is scoped is retained by this very instance.
        let scoped = core.isScoped ? core.owner : nil
        if let registry = scoped?.takeUnretainedValue() ?? (core.isScoped ? nil : LifetimeRegistry.shared) {
            if let diedAt = registry.store.recordDeath(handle) {
                registry.watchedInstanceDied(diedAt.id, at: diedAt.time)
            }
        }
        // Retained in `recordBirth`.
        scoped?.release()
    }

    /// Records a death here.
    ///
    /// - Returns: Which instance died and when, if somebody wanted to hear of it; else `nil`.
    @discardableResult
    func recordDeath(_ handle: lt_handle) -> (id: InstanceID, time: MonotonicTime)? {
        let slot = UInt32(truncatingIfNeeded: handle & LT_TYPE_MASK)
        guard handle & LT_UNLISTED == 0 else {
            catalog.withLock { $0.recordUnlistedDeath(handle) }
            return nil
        }
        guard Stripes.withOwn(counting: max(slot, core.total), { _ in true }) != nil else { return nil }
        let record = lt_death_in(handle)
        precondition(record.word0 & LT_LIVE != 0, "an instance died twice")
        if lt_own_stripe().pointee.free_count >= UInt64(LT_FREE_BATCH) { RecordArena.setBatchAside() }
        let isWatched = record.word0 & LT_WATCHED != 0
        guard isWatched || core.isScoped || record.word0 & LT_NOTED != 0 else { return nil }
        let now = clock.now()
        let id = InstanceID(rawValue: record.word0 & LT_ID_MASK)
        remember(id, record, slot: slot, at: now)
        return isWatched ? (id, now) : nil
    }

    private func remember(_ id: InstanceID, _ record: lt_record, slot: UInt32, at now: MonotonicTime) {
        let type = TypeIndex(rawValue: Int32(lt_type_at(slot).position))
        let bornAt = timebase.translation(asOf: now).time(record.word1 >> UInt64(LT_CONTEXT_BITS))
        let name = catalog.withLock { $0.types[type].name }
        deaths.withLock { $0.append(Death(id: id, type: name, bornAt: bornAt, diedAt: now)) }
    }

    // MARK: Single instances

    /// Asks to be told of a death.
    ///
    /// - Returns: Whether the instance is live and listed; when not, nothing will be told.
    func watch(_ id: InstanceID) -> Bool {
        if id.isUntraced { return UntracedInstances.watch(id) }
        guard let place = place(of: id), lt_flag_record(place, core.pointer, id.rawValue, LT_WATCHED) else {
            return false
        }
        // A death that read the record before the flag was set will not tell; when such a one is through, the record is free.
        lt_settle()
        return record(id, at: place) != nil
    }

    /// Whether the instance is live.
    ///
    /// Instances past the limit, which are not listed, count as not live.
    func isLive(_ id: InstanceID) -> Bool {
        id.isUntraced ? UntracedInstances.isWatched(id) : place(of: id) != nil
    }

    /// Whether the instance has certainly died.
    ///
    /// While there are instances past the limit nothing is certain of those that are not listed.
    func hasDied(_ id: InstanceID) -> Bool {
        !id.isUntraced && !isLive(id) && catalog.withLock { $0.unlisted == 0 }
    }

    /// The type of a live instance.
    func typeName(of id: InstanceID) -> TypeName? {
        typeAndSite(of: id)?.0
    }

    /// The type and the creation site of a live instance.
    func typeAndSite(of id: InstanceID) -> (TypeName, SourceSite)? {
        guard !id.isUntraced, let place = place(of: id), let record = record(id, at: place) else { return nil }
        let position = lt_context_at(record.context).pointee.position
        return catalog.withLock { catalog in
            let context = catalog.contexts.entries[Int(position)]
            return (catalog.types[context.type].name, context.site)
        }
    }

    /// The handle that a live instance carries.
    func carriedWord(of id: InstanceID) -> lt_handle? {
        guard !id.isUntraced, let place = place(of: id), let record = record(id, at: place) else { return nil }
        let address = UInt64(UInt(bitPattern: place))
        return address << (UInt64(LT_PAYLOAD_SHIFT) - 4) | UInt64(lt_context_at(record.context).pointee.type)
    }

    /// The death of an instance, while it is remembered.
    func death(of id: InstanceID) -> Death? {
        deaths.withLock { $0.last { $0.id == id } }
    }

    /// The deaths that are remembered, oldest first, and how many were and are no more.
    func rememberedDeaths() -> (deaths: [Death], dropped: UInt64) {
        deaths.withLock { ($0.elements, $0.dropped) }
    }

    /// Whether the id has been given to an instance, live or not, or is set aside for one.
    func wasBorn(_ id: InstanceID) -> Bool {
        id.rawValue > 0 && id.rawValue <= lt_last_id(core.pointer)
    }

    /// The index of a type, whether or not an instance of it has been born.
    func index(of type: Any.Type) -> TypeIndex {
        catalog.withLock { $0.types.index(of: type) }
    }

    /// The name of a type of which there has been an instance, a budget or the like.
    func knownName(of type: Any.Type) -> TypeName? {
        catalog.withLock { $0.types.knownName(of: type) }
    }

    /// The record of a live instance, by the hint in its id or by a search through all records.
    private func place(of id: InstanceID) -> UnsafeMutablePointer<lt_record>? {
        if let hinted = UnsafeMutablePointer<lt_record>(bitPattern: id.place) {
            return record(id, at: hinted) == nil ? nil : hinted
        }
        guard wasBorn(id) else { return nil }
        for chunk in RecordArena.shared.withLock({ $0.chunks }) {
            if let found = lt_find_record(chunk.records, core.pointer, id.rawValue) { return found }
        }
        return nil
    }

    private func record(_ id: InstanceID, at place: UnsafeMutablePointer<lt_record>) -> lt_record? {
        var record = lt_record()
        guard lt_read_record_of(place, core.pointer, &record), record.word0 & LT_ID_MASK == id.rawValue else {
            return nil
        }
        return record
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
