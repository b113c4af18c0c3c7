import CLifetimeRuntime

extension LifetimeRegistry {
    /// Whether objects are traced, in all registries of the process; on from the start.
    ///
    /// An object is traced when this is on at its birth, to its death: switched off later, what is counted stays right. An
    /// object that is made while it is off costs next to nothing, is not counted and cannot have a deadline; a hub or a
    /// ``WeakKeyTable`` that waits for its death works as ever. Can be switched at any time, on any thread.
    public static var isTracing: Bool {
        get { lt_mode() & UInt32(LT_MODE_OFF) == 0 }
        set { lt_set_mode(UInt32(LT_MODE_OFF), !newValue) }
    }

    /// Whether births record the calls that led to them; off from the start.
    ///
    /// Costs a walk over up to 16 stack frames a birth, some ten nanoseconds; each distinct stack is kept once. See
    /// ``InstanceRecord/creationStack``. Can be switched at any time; an instance has a stack when this was on at its birth.
    public var recordsCreationStacks: Bool {
        get { lt_has_stacks(store.core.pointer) }
        set { lt_set_stacks(store.core.pointer, newValue) }
    }
}
