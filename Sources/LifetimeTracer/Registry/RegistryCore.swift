import CLifetimeRuntime

/// The part of a registry that births and deaths reach without Swift.
///
/// `@unchecked Sendable` is safe because its fields are written before the first birth, or only by the atomic accesses of
/// `CLifetimeRuntime`.
struct RegistryCore: @unchecked Sendable, Equatable {
    let pointer: UnsafeMutablePointer<lt_registry>

    /// The core of the shared registry.
    static let shared: RegistryCore = {
        let core = RegistryCore(pointer: lt_shared_core())
        core.pointer.pointee.total = UInt32(LT_FIRST_TYPE)
        lt_set_type(UInt32(LT_FIRST_TYPE), core.pointer, 0)
        return core
    }()

    /// Makes the core of a registry of its own; `nil` when there are as many as the process can tell apart.
    static func scoped() -> RegistryCore? {
        guard let total = TypeTable.takeSlot() else { return nil }
        let core = RegistryCore(pointer: .allocate(capacity: 1))
        core.pointer.initialize(to: lt_registry())
        lt_use_empty_table(core.pointer)
        core.pointer.pointee.total = total
        core.pointer.pointee.is_scoped = true
        lt_set_type(total, core.pointer, 0)
        return core
    }

    /// Whether objects that are born in it keep it alive.
    var isScoped: Bool { pointer.pointee.is_scoped }

    /// The index under which the stripes count all instances.
    var total: UInt32 { pointer.pointee.total }

    /// Frees the core of a registry of its own, of which nothing is live any more.
    func free() {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    /// Names the registry that scoped instances retain.
    func setOwner(_ registry: LifetimeRegistry) {
        pointer.pointee.owner = Unmanaged.passUnretained(registry).toOpaque()
    }

    /// The registry, as long as something of it is live.
    var owner: Unmanaged<LifetimeRegistry>? {
        pointer.pointee.owner.map { Unmanaged<LifetimeRegistry>.fromOpaque($0) }
    }
}
