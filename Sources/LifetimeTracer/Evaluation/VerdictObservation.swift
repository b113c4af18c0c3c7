/// A verdict observer in force, which ends when it is removed or its last reference is released.
///
/// ``keep()`` lets it last as long as its registry.
public final class VerdictObservation: Registration {
    private enum State: LockedState {
        case held
        case kept
        case ended
    }

    private let id: UInt64
    private let registry: LifetimeRegistry
    private let state = Locked(State.held)

    init(id: UInt64, registry: LifetimeRegistry) {
        self.id = id
        self.registry = registry
    }

    /// Whether the observer is called for later verdicts.
    public var isInForce: Bool { state.withLock { $0 != .ended } }

    /// Removes the observer; further calls do nothing.
    ///
    /// A verdict whose delivery is in progress may still arrive.
    public func remove() {
        state.withLock { $0 = .ended }
        registry.verdicts.removeAndRelease { $0.observers.remove(id) }
    }

    /// Keeps the observer in force as long as its registry, unless it is removed.
    public func keep() {
        state.withLock { state in
            if state == .held { state = .kept }
        }
    }

    deinit {
        if state.withLock({ $0 == .held }) { remove() }
    }
}
