import CLifetimeRuntime

/// The part of a registry that births and deaths access in C.
///
/// `@unchecked Sendable` is safe because its fields are written either before the first birth or only through the
/// atomic accesses of `CLifetimeRuntime`.
struct RegistryCore: @unchecked Sendable, Equatable {
    let pointer: UnsafeMutablePointer<lt_registry>

    /// The core of the shared registry.
    static let shared: RegistryCore = {
        let core = RegistryCore(pointer: lt_shared_core())
        core.pointer.pointee.total = UInt32(LT_FIRST_TYPE)
        lt_set_type(UInt32(LT_FIRST_TYPE), core.pointer, 0)
        return core
    }()

    /// Creates the core of a scoped registry; `nil` if the process has no index left for it.
    static func scoped() -> RegistryCore? {
        guard let total = TypeTable.takeSlot() else { return nil }
        let core = RegistryCore(pointer: .allocate(capacity: 1))
        core.pointer.initialize(to: lt_registry())
        lt_use_empty_table(core.pointer)
        core.pointer.pointee.total = total
        core.pointer.pointee.is_scoped = true
        core.pointer.pointee.release = { $0.map(Self.release) }
        lt_set_type(total, core.pointer, 0)
        return core
    }

    /// Whether objects that are born in the registry retain it.
    var isScoped: Bool { pointer.pointee.is_scoped }

    /// The index at which the stripes count all instances of the registry.
    var total: UInt32 { pointer.pointee.total }

    /// Frees the core of a scoped registry that has no live instance.
    func free() {
        lt_free_death_ring(pointer)
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    /// Sets the store to which the core belongs.
    func setStore(_ store: InstanceStore) {
        // Not retained, which is safe because the store frees this core in its own deinit.
        pointer.pointee.store = Unmanaged.passUnretained(store).toOpaque()
    }

    /// Sets the object that the instances and scopes of a scoped registry retain.
    func setOwner(_ owner: AnyObject) {
        // Safe without a retain: only holders use the pointer, for whom `retainOwner()` has retained the owner.
        pointer.pointee.owner = Unmanaged.passUnretained(owner).toOpaque()
    }

    /// Retains the owner for all holders; balanced by ``releaseOwner()``, or by the last death in C.
    func retainOwner() {
        guard let owner = pointer.pointee.owner else { return }
        _ = Unmanaged<AnyObject>.fromOpaque(owner).retain()
    }

    func releaseOwner() { pointer.pointee.owner.map(Self.release) }

    private static func release(_ owner: UnsafeMutableRawPointer) { Unmanaged<AnyObject>.fromOpaque(owner).release() }

    /// The store; valid while one of its instances is live.
    var store: InstanceStore? { unretainedStore?.takeUnretainedValue() }

    /// The store, for callers that would retain and release it for a call only.
    ///
    /// Safe while one of the store's instances is live: the instance retains the owner, and the owner the store.
    var unretainedStore: Unmanaged<InstanceStore>? { pointer.pointee.store.map { Unmanaged.fromOpaque($0) } }
}
