import CLifetimeRuntime

/// Objects that were made while tracing was off: nothing is counted, yet who asks is told of their deaths.
///
/// Hubs that end a registration with its owner and tables with weak keys are part of what a program does; they must work
/// whether or not it is traced.
enum UntracedInstances {
    private static let watched = Locked<Set<InstanceID>>([])

    // Beyond all ids of traced instances, and still a number that a double holds.
    fileprivate static let firstID: UInt64 = 1 << 52

    /// Gives an object a number instead of recording its birth.
    static func recordBirth() -> lt_handle {
        _ = lt_adopt_stripe()
        return lt_untraced_birth()
    }

    /// The id of an object, by its handle.
    static func id(of handle: lt_handle) -> InstanceID {
        InstanceID(rawValue: firstID | handle >> UInt64(LT_PAYLOAD_SHIFT))
    }

    /// Asks to be told of a death.
    ///
    /// - Returns: Whether it will be told.
    static func watch(_ id: InstanceID) -> Bool {
        guard id.rawValue > firstID else { return false }
        // The caller holds the object, so it does not die meanwhile.
        if watched.withLock({ $0.insert(id).inserted }) { lt_add_untraced_watches(1) }
        return true
    }

    static func isWatched(_ id: InstanceID) -> Bool {
        watched.withLock { $0.contains(id) }
    }

    /// Tells those who asked.
    static func recordDeath(_ handle: lt_handle) {
        let id = id(of: handle)
        guard watched.withLock({ $0.remove(id) }) != nil else { return }
        lt_add_untraced_watches(-1)
        let registry = LifetimeRegistry.shared
        registry.watchedInstanceDied(id, at: registry.clock.now())
    }
}

extension InstanceID {
    /// Whether the object was made while tracing was off.
    var isUntraced: Bool { rawValue >= UntracedInstances.firstID }
}

extension lt_handle {
    /// Whether the object was made while tracing was off.
    var isUntraced: Bool { self & (LT_UNLISTED | LT_TYPE_MASK) == LT_UNTRACED }
}
