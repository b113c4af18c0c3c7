public import CLifetimeRuntime

/// What a traced object carries: 8 bytes that name its record and its type, which in turn name its registry.
///
/// Inlined into the program: of a birth and of a death in the plain case a call of a few instructions in C is left.
@frozen
@usableFromInline
struct InstanceHandle: Sendable {
    @usableFromInline let bits: lt_handle

    /// Records a birth in the registry that is current for the calling task.
    ///
    /// Takes neither label nor owner, because even to pass `nil` on costs a debug build half of what this does: see ``annotate(_:_:)``.
    @inlinable
    init(birthOf type: AnyClass, file: StaticString, line: UInt32) {
        // A file that is no pointer is told apart by its bits just as well.
        let key = unsafeBitCast(file, to: (UInt, UInt, UInt8).self).0
        let answer = lt_birth(unsafeBitCast(type, to: UInt.self), key, line)
        // What is less is no handle: the first birth of its kind, a scope in force, or tracing switched off.
        if answer >= LT_FIRST_HANDLE {
            bits = answer
        } else {
            bits = Self.completeBirth(of: type, file: file, line: line)
        }
    }

    /// Records a birth in a given registry.
    @usableFromInline
    init(
        birthOf type: AnyClass, label: String?, owner: (any Traced)?, registry: LifetimeRegistry, file: StaticString,
        line: UInt32
    ) {
        bits = registry.store.recordBirth(of: type, at: SourceSite(file: file, line: line))
        annotate(label, owner)
    }

    /// The instance's id.
    var id: InstanceID { InstanceStore.id(of: bits) }

    /// The registry in which the birth was recorded; the shared one when tracing was off.
    var registry: LifetimeRegistry { InstanceStore.registry(of: bits) }

    /// Records the death.
    ///
    /// Called once, from the `deinit` of whatever carries the handle.
    @inlinable
    func recordDeath() {
        if !lt_death(bits) { Self.completeDeath(bits) }
    }

    @usableFromInline
    static func completeBirth(of type: AnyClass, file: StaticString, line: UInt32) -> lt_handle {
        LifetimeRegistry.current.store.recordBirth(of: type, at: SourceSite(file: file, line: line))
    }

    @usableFromInline
    static func completeDeath(_ bits: lt_handle) {
        InstanceStore.recordDeathInFull(bits)
    }

    @usableFromInline
    func annotate(_ label: String?, _ owner: (any Traced)?) {
        let registry = registry
        if let label { registry.setLabel(label, of: id) }
        if let owner { registry.setOwner(owner.lifetime, of: id) }
    }
}
