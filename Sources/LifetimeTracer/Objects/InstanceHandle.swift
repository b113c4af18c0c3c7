public import CLifetimeRuntime

/// The 8 bytes that a traced object carries: they identify its record and its type, and the type identifies its
/// registry.
///
/// The operations are inlined into the program, so that in the plain case a birth or a death is one call of a few
/// instructions in C.
@frozen
@usableFromInline
struct InstanceHandle: Sendable {
    @usableFromInline let bits: lt_handle

    /// Records a birth in the current registry of the calling task.
    ///
    /// Takes neither a label nor an owner: in a debug build, even passing `nil` costs half as much as this initializer.
    /// See ``annotate(_:_:)``.
    @inlinable
    init(birthOf type: AnyClass, file: StaticString, line: Int) {
        // As in `SiteKey`, without a call in a debug build. Safe for the same reason.
        let key = unsafeBitCast(file, to: SiteKey.Literal.self).0
        // Safe: a metatype is one word, the address of metadata, which the runtime never frees.
        bits = lt_birth(unsafeBitCast(type, to: UInt.self), key, line) { type, file, line in
            Self.completeBirth(of: type, file: file, line: line)
        }
    }

    /// Records a birth in a given registry.
    @usableFromInline
    init(
        birthOf type: AnyClass, label: String?, owner: (any Traced)?, registry: LifetimeRegistry, file: StaticString,
        line: Int
    ) {
        bits = registry.store.recordBirth(of: type, at: SiteKey(file: file, line: line))
        annotate(label, owner)
    }

    /// The instance's id.
    var id: InstanceID { InstanceStore.id(of: bits) }

    /// The registry in which the birth was recorded; the shared one when tracing was off.
    var registry: LifetimeRegistry { LifetimeRegistry.registry(of: bits) }

    /// Records the death.
    ///
    /// Must be called exactly once, from the `deinit` of the object or token that carries the handle.
    @inlinable
    func recordDeath() {
        lt_death(bits) { Self.completeDeath($0) }
    }

    /// Completes a birth that is the first of its kind, or in a scope, or needs another resource.
    @usableFromInline
    static func completeBirth(of metatype: UInt, file: UInt, line: Int) -> lt_handle {
        // Safe: the word is the metatype that was passed to `lt_birth`.
        let type: AnyClass = unsafeBitCast(metatype, to: AnyClass.self)
        let site = SiteKey(file: file, line: line)
        guard let scoped = TracingScope.store else {
            return LifetimeRegistry.shared.store.recordBirth(of: type, at: site)
        }
        return scoped._withUnsafeGuaranteedRef { store in
            let handle = lt_birth_in_scope(store.core.pointer, metatype, file, line)
            return handle >= UInt64(LT_FIRST_TYPE) ? handle : store.recordBirth(of: type, at: site)
        }
    }

    @usableFromInline
    static func completeDeath(_ bits: lt_handle) {
        InstanceStore.recordDeathInFull(bits)
    }

    @usableFromInline
    func annotate(_ label: String?, _ owner: (any Traced)?) {
        let registry = registry
        // The object is under construction, so it is held.
        if let label { registry.setLabel(label, of: id, isHeld: true) }
        if let owner { registry.setOwner(owner.lifetime, of: id, isHeld: true) }
    }
}
