import CLifetimeRuntime

extension LifetimeRegistry {
    /// Whether objects are traced, in all registries of the process; on by default.
    ///
    /// An object is traced until its death if tracing is on at its birth, so counts stay right after tracing is turned
    /// off. An object that is created while tracing is off costs next to nothing, is not counted and cannot have a
    /// deadline. A hub or a ``WeakKeyTable`` that waits for the death of such an object works as usual. The switch can
    /// be set at any time, on any thread.
    public static var isTracing: Bool {
        get { lt_mode() & UInt32(LT_MODE_OFF) == 0 }
        set { lt_set_mode(UInt32(LT_MODE_OFF), !newValue) }
    }

    /// Whether births record their creation stacks; off by default.
    ///
    /// A stack costs a walk over up to 16 frames, some ten nanoseconds a birth; each distinct stack is stored once. See
    /// ``InstanceRecord/creationStack``. The switch can be set at any time; an instance has a stack if recording was on
    /// at its birth.
    public var recordsCreationStacks: Bool {
        get { lt_has_stacks(store.core.pointer) }
        set { lt_set_stacks(store.core.pointer, newValue) }
    }
}
