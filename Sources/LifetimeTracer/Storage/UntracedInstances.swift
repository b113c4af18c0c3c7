import CLifetimeRuntime

/// Objects that were created while tracing was off: they are not counted, but their deaths are reported on request.
///
/// Hubs that end a registration with its owner, and tables with weak keys, are part of a program's function. They must
/// work whether or not their objects are traced.
enum UntracedInstances {
    private static let watched = Locked<Set<InstanceID>>([])

    // Above all ids of traced instances, and still exact as a double.
    fileprivate static let firstID: UInt64 = 1 << 52

    /// Gives an object a number instead of recording its birth.
    static func recordBirth() -> lt_handle {
        _ = lt_adopt_stripe()
        return lt_untraced_birth()
    }

    /// Returns the id of an object from its handle.
    static func id(of handle: lt_handle) -> InstanceID {
        InstanceID(rawValue: firstID | handle >> UInt64(LT_PAYLOAD_SHIFT))
    }

    /// Requests a report of an object's death.
    ///
    /// - Returns: Whether the death will be reported.
    static func watch(_ id: InstanceID) -> Bool {
        guard id.rawValue > firstID else { return false }
        // The caller holds the object, so it cannot die meanwhile.
        watched.withLock { watched in
            watched.insert(id)
            lt_watch_untraced_deaths(true)
        }
        return true
    }

    static func isWatched(_ id: InstanceID) -> Bool {
        watched.withLock { $0.contains(id) }
    }

    /// Reports the death, if requested.
    static func recordDeath(_ handle: lt_handle) {
        let id = id(of: handle)
        let wasWatched = watched.withLock { watched in
            defer { if watched.isEmpty { lt_watch_untraced_deaths(false) } }
            return watched.remove(id) != nil
        }
        guard wasWatched, let store = RegistryCore.shared.store else { return }
        store.owner?.watchedInstanceDied(id, watchedFor: .all, at: store.clock.now())
    }
}

extension InstanceID {
    /// Whether the object was created while tracing was off.
    var isUntraced: Bool { rawValue >= UntracedInstances.firstID }
}

extension lt_handle {
    /// Whether the object was created while tracing was off.
    var isUntraced: Bool { self & (LT_UNLISTED | LT_TYPE_MASK) == LT_UNTRACED }
}
