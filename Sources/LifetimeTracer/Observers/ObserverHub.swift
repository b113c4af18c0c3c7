import Dispatch

/// Stores closures for an event and calls all of them when it occurs.
///
/// The hub holds the closures, so objects that they capture strongly live as long as the registration: capture the
/// owner weakly. Each registration is an ``ObserverToken`` of kind ``TokenKind/hub`` in the registry of its owner, and
/// ends with its token or with the hub:
/// ```swift
/// hub.observe(owner: self) { [weak self] value in self?.show(value) }?.keep(for: self)
/// ```
/// All methods can be called from any thread; closures are called outside the hub's lock.
public final class ObserverHub<Value: Sendable>: Sendable {
    /// The treatment of a registration whose owner type already has one in force.
    public enum Policy: Sendable {
        /// Both registrations are kept.
        case append
        /// The first registration is kept; the second is refused and counted.
        case keepFirst
        /// The second registration replaces the first.
        case replaceByOwner
    }

    /// Where closures are called.
    public enum Delivery: Sendable {
        /// On the thread that calls `send`, before `send` returns.
        case immediate
        /// On this queue, later, in the order in which values are sent.
        case asynchronous(DispatchQueue)
    }

    /// The human-readable name of the event.
    public let event: String
    /// The treatment of a second registration of an owner type.
    public let policy: Policy
    /// Where closures are called.
    public let delivery: Delivery

    private let registrations = Locked<[Entry]>([])

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - event: The human-readable name of the event.
    ///   - policy: The treatment of a second registration of an owner type.
    ///   - delivery: Where closures are called.
    public init(event: String, policy: Policy = .append, delivery: Delivery = .immediate) {
        self.event = event
        self.policy = policy
        self.delivery = delivery
    }

    deinit {
        // A token can outlive the hub.
        removeAll()
    }

    /// Registers a closure, for as long as the returned token is retained or kept, and at most as long as the hub.
    ///
    /// - Parameters:
    ///   - owner: The owner of the registration; only its id is kept, apart from the captures of the closure.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - body: The closure.
    /// - Returns: The registration, or `nil` if it was refused.
    public func observe(
        owner: some Traced, file: StaticString = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> ObserverToken? {
        register(owner: owner, file: file, line: line, .anywhere(body))
    }

    private func register(
        owner: some Traced, file: StaticString, line: Int, _ body: Entry.Body
    ) -> ObserverToken? {
        let entry = Entry(ownerType: ObjectIdentifier(type(of: owner)), body: body)
        guard let replaced = add(entry) else {
            owner.lifetimeRegistry.tokenRefused(kind: .hub, event: event, owner: TokenOwner(owner))
            return nil
        }
        for old in replaced { old.end() }
        // Weak, because a kept token would otherwise let a static variable hold what the closure captures.
        let token = ObserverToken(.hub, event: event, owner: owner, file: file, line: line) {
            [weak self, weak entry] in
            if let entry { self?.remove(entry) }
        }
        // The entry may have been replaced or removed before it had a token.
        if !entry.fill(token) { token.remove() }
        return token
    }

    /// Registers a closure of the main actor, which may capture main-actor state such as a screen.
    ///
    /// The closure is called at once if the hub delivers the value on the main queue, and otherwise later on that
    /// queue.
    ///
    /// - Parameters:
    ///   - owner: The owner of the registration; only its id is kept, apart from the captures of the closure.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - body: The closure.
    /// - Returns: The registration, or `nil` if it was refused.
    public func observe(
        owner: some Traced, file: StaticString = #fileID, line: Int = #line,
        onMainActor body: @escaping @MainActor (Value) -> Void
    ) -> ObserverToken? {
        register(owner: owner, file: file, line: line, .onMainActor(body))
    }

    /// The number of registrations in force.
    public var count: Int {
        registrations.withLock { $0.count }
    }

    /// Calls all closures with a value.
    public func send(_ value: Value) {
        let current = registrations.withLock { $0 }
        switch delivery {
        case .immediate:
            for registration in current { registration.deliver(value) }
        case .asynchronous(let queue):
            queue.async {
                for registration in current { registration.deliver(value) }
            }
        }
    }

    /// Removes all registrations.
    public func removeAll() {
        let all = registrations.withLock { registrations in
            defer { registrations = [] }
            return registrations
        }
        for registration in all { registration.end() }
    }

    /// Adds a registration.
    ///
    /// - Returns: The registrations that it replaces, which the caller must end outside the lock; `nil` if it was
    ///   refused.
    private func add(_ entry: Entry) -> [Entry]? {
        registrations.withLock { registrations in
            let sameOwner = registrations.filter { $0.ownerType == entry.ownerType }
            switch policy {
            case .append:
                registrations.append(entry)
                return []
            case .keepFirst:
                guard sameOwner.isEmpty else { return nil }
                registrations.append(entry)
                return []
            case .replaceByOwner:
                registrations.removeAll { $0.ownerType == entry.ownerType }
                registrations.append(entry)
                return sameOwner
            }
        }
    }

    private func remove(_ entry: Entry) {
        // The result carries the entry out of the lock, so that the closure's captures are not released under it.
        let removed = registrations.withLock { registrations -> Entry? in
            guard let position = registrations.firstIndex(where: { $0 === entry }) else { return nil }
            return registrations.remove(at: position)
        }
        removed?.end()
    }
}

extension ObserverHub {
    /// A closure in the hub.
    private final class Entry: LockedState {
        /// The closure, and where it may be called.
        enum Body: Sendable {
            case anywhere(@Sendable (Value) -> Void)
            case onMainActor(@MainActor @Sendable (Value) -> Void)
        }

        private struct State: LockedState {
            weak var token: ObserverToken?
            // `nil` if the registration has ended.
            var body: Body?
        }

        let ownerType: ObjectIdentifier
        private let state: Locked<State>

        init(ownerType: ObjectIdentifier, body: Body) {
            self.ownerType = ownerType
            state = Locked(State(body: body))
        }

        /// Sets the registration's token.
        ///
        /// - Returns: Whether the registration is still in force.
        func fill(_ token: ObserverToken) -> Bool {
            state.withLock { state in
                guard state.body != nil else { return false }
                state.token = token
                return true
            }
        }

        /// Calls the closure, unless the registration has ended since the value was sent.
        func deliver(_ value: Value) {
            switch state.withLock({ $0.body }) {
            case .anywhere(let body):
                countDelivery()
                body(value)
            case .onMainActor:
                MainQueue.run { self.deliverOnMainActor(value) }
            case nil:
                return
            }
        }

        @MainActor
        private func deliverOnMainActor(_ value: Value) {
            // Checked again, because the registration may have ended meanwhile.
            guard case .onMainActor(let body) = state.withLock({ $0.body }) else { return }
            countDelivery()
            body(value)
        }

        private func countDelivery() {
            state.withLock { $0.token }?.recordDelivery()
        }

        /// Releases the closure and the token, and removes the token.
        func end() {
            let ended = state.withLock { state in
                defer { state = State() }
                return state
            }
            withExtendedLifetime(ended) { ended.token?.remove() }
        }
    }
}
