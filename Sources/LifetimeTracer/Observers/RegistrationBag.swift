/// Holds registrations and removes all of them when it is deallocated.
///
/// Keep a bag in the object that owns the registrations, such as a reactor or a view model. A request in the bag is
/// cancelled together with its owner. All methods can be called from any thread.
public final class RegistrationBag: Sendable {
    private struct State: LockedState {
        var registrations: [any Registration] = []
        var isClosed = false
        // The size at which ended registrations are swept; doubles with the number of remaining ones.
        var sweepAt = 16
    }

    private let state = Locked(State())

    /// Creates an empty bag.
    public init() {}

    deinit {
        removeAll()
    }

    /// The number of registrations in the bag that are in force.
    public var count: Int {
        state.withLock { $0.registrations }.count { $0.isInForce }
    }

    /// Puts a registration into the bag.
    ///
    /// After ``removeAll()`` the bag removes the registration at once. Registrations that have ended in another way
    /// leave the bag from time to time.
    public func insert(_ registration: any Registration) {
        let (isClosed, isFull) = state.withLock { state in
            guard !state.isClosed else { return (true, false) }
            state.registrations.append(registration)
            return (false, state.registrations.count >= state.sweepAt)
        }
        if isClosed { registration.remove() }
        if isFull { sweep() }
    }

    /// Releases the registrations that have ended.
    private func sweep() {
        // Outside the lock: a registration has a lock of its own, and releasing it can run code that calls this bag.
        let ended = Set(
            state.withLock { $0.registrations }.lazy.filter { !$0.isInForce }.map { ObjectIdentifier($0) })
        let swept = state.withLock { state in
            let swept = state.registrations.filter { ended.contains(ObjectIdentifier($0)) }
            state.registrations.removeAll { ended.contains(ObjectIdentifier($0)) }
            state.sweepAt = max(16, 2 * state.registrations.count)
            return swept
        }
        withExtendedLifetime(swept) {}
    }

    /// Removes all registrations in the order of their insertion; registrations inserted later are removed at once.
    public func removeAll() {
        let registrations = state.withLock { state in
            state.isClosed = true
            defer { state.registrations = [] }
            return state.registrations
        }
        for registration in registrations { registration.remove() }
    }
}
