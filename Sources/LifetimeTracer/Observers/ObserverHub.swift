import Dispatch

/// Keeps closures for an event and calls them all when it happens.
///
/// The hub holds the closures, so what they capture strongly lives as long as they are registered: capture the owner weakly.
/// Each registration is an ``ObserverToken`` of kind ``TokenKind/hub`` in the registry of its owner. All methods can be called
/// from any thread; closures are called outside the hub's lock.
public final class ObserverHub<Value: Sendable>: Sendable {
    /// What happens when an owner type registers that has a registration in force.
    public enum Policy: Sendable {
        /// Both are kept.
        case append
        /// The first is kept, the second refused and counted.
        case keepFirst
        /// The second takes the place of the first.
        case replaceByOwner
    }

    /// Where closures are called.
    public enum Delivery: Sendable {
        /// On the thread that sends, before `send` returns.
        case immediate
        /// On this queue, later, in the order in which values are sent.
        case asynchronous(DispatchQueue)
    }

    /// When a registration ends, if nobody removes it before.
    public enum Extent: Sendable {
        /// Never.
        case hub
        /// When the owner goes.
        case owner
        /// When the token that ``observe(owner:until:file:line:_:)`` returned goes.
        case token
    }

    /// What is observed.
    public let event: String
    /// What happens with a second registration of an owner type.
    public let policy: Policy
    /// Where closures are called.
    public let delivery: Delivery

    private let registrations = Locked<[Registration]>([])

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - event: What is observed, in a name for people.
    ///   - policy: What happens with a second registration of an owner type.
    ///   - delivery: Where closures are called.
    public init(event: String, policy: Policy = .append, delivery: Delivery = .immediate) {
        self.event = event
        self.policy = policy
        self.delivery = delivery
    }

    deinit {
        // A registration that the hub keeps holds its own token, so nobody else would end it.
        removeAll()
    }

    /// Registers a closure.
    ///
    /// - Parameters:
    ///   - owner: For whom; only its id is kept, and what the closure captures.
    ///   - extent: When the registration ends, if nobody removes it before.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    ///   - body: The closure.
    /// - Returns: The registration, or `nil` when it was refused.
    @discardableResult
    public func observe<Owner: Traced>(
        owner: Owner, until extent: Extent = .owner, file: StaticString = #fileID, line: UInt32 = #line,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> ObserverToken? {
        register(owner: owner, until: extent, file: file, line: line, .anywhere(body))
    }

    private func register<Owner: Traced>(
        owner: Owner, until extent: Extent, file: StaticString, line: UInt32, _ body: Registration.Body
    ) -> ObserverToken? {
        let registration = Registration(ownerType: ObjectIdentifier(type(of: owner)), body: body)
        guard let replaced = add(registration) else {
            owner.lifetimeRegistry.tokenRefused(kind: .hub, event: event, owner: .instance(owner))
            return nil
        }
        for old in replaced { old.end() }
        let token = ObserverToken(.hub, event: event, owner: .instance(owner), file: file, line: line) {
            [weak self] in self?.remove(registration)
        }
        // It may have been replaced or removed before it had a token.
        guard registration.fill(token, holding: extent != .token) else {
            token.remove()
            return token
        }
        if extent == .owner {
            let (registry, id) = (owner.lifetimeRegistry, owner.lifetimeID)
            if let action = registry.onDeath(of: id, { [weak token] in token?.remove() }) {
                registration.fill(OwnerWatch(registry: registry, owner: id, action: action))
            } else {
                token.remove()
            }
        }
        return token
    }

    /// Registers a closure of the main actor, which may capture what belongs to it, such as a screen.
    ///
    /// Where the hub calls it on the main queue, it is called at once, else a moment later on that queue.
    ///
    /// - Returns: The registration, or `nil` when it was refused.
    @discardableResult
    public func observe<Owner: Traced>(
        owner: Owner, until extent: Extent = .owner, file: StaticString = #fileID, line: UInt32 = #line,
        onMainActor body: @escaping @MainActor (Value) -> Void
    ) -> ObserverToken? {
        register(owner: owner, until: extent, file: file, line: line, .onMainActor(body))
    }

    /// The registrations in force.
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
    /// - Returns: Those whose place it takes, to be ended outside the lock; `nil` when it was refused.
    private func add(_ registration: Registration) -> [Registration]? {
        registrations.withLock { registrations in
            let sameOwner = registrations.filter { $0.ownerType == registration.ownerType }
            switch policy {
            case .append:
                registrations.append(registration)
                return []
            case .keepFirst:
                guard sameOwner.isEmpty else { return nil }
                registrations.append(registration)
                return []
            case .replaceByOwner:
                registrations.removeAll { $0.ownerType == registration.ownerType }
                registrations.append(registration)
                return sameOwner
            }
        }
    }

    private func remove(_ registration: Registration) {
        // Leaves the lock with this result, so that nothing that the closure captured goes under it.
        let removed = registrations.withLock { registrations -> Registration? in
            guard let position = registrations.firstIndex(where: { $0 === registration }) else { return nil }
            return registrations.remove(at: position)
        }
        removed?.end()
    }
}

extension ObserverHub {
    /// A closure in the hub.
    private final class Registration: LockedState {
        /// What is called, and where.
        enum Body: Sendable {
            case anywhere(@Sendable (Value) -> Void)
            case onMainActor(@MainActor @Sendable (Value) -> Void)
        }

        private struct State: LockedState {
            weak var token: ObserverToken?
            // Set where the hub, not the caller, keeps the token in force.
            var held: ObserverToken?
            // Set where the registration ends with its owner.
            var ownerWatch: OwnerWatch?
            // `nil` when the registration has ended.
            var body: Body?
        }

        let ownerType: ObjectIdentifier
        private let state: Locked<State>

        init(ownerType: ObjectIdentifier, body: Body) {
            self.ownerType = ownerType
            state = Locked(State(body: body))
        }

        /// Says which token it is.
        ///
        /// - Returns: Whether it has not ended meanwhile.
        func fill(_ token: ObserverToken, holding: Bool) -> Bool {
            state.withLock { state in
                guard state.body != nil else { return false }
                state.token = token
                if holding { state.held = token }
                return true
            }
        }

        /// Hands over the wait for the owner's death, which ends with the registration.
        func fill(_ ownerWatch: OwnerWatch) {
            let hasEnded = state.withLock { state in
                if state.body != nil { state.ownerWatch = ownerWatch }
                return state.body == nil
            }
            if hasEnded { ownerWatch.end() }
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
            // Asked again: it may have ended on the way here.
            guard case .onMainActor(let body) = state.withLock({ $0.body }) else { return }
            countDelivery()
            body(value)
        }

        private func countDelivery() {
            state.withLock { $0.token }?.recordDelivery()
        }

        /// Releases closure and token, and removes the token.
        func end() {
            let ended = state.withLock { state in
                defer { state = State() }
                return state
            }
            withExtendedLifetime(ended) {
                // Else the action would stay as long as the owner does.
                ended.ownerWatch?.end()
                ended.token?.remove()
            }
        }
    }
}

/// The wait for the death of a registration's owner.
private struct OwnerWatch: Sendable {
    let registry: LifetimeRegistry
    let owner: InstanceID
    /// The key of the death action.
    let action: UInt64

    func end() {
        registry.removeDeathAction(action, of: owner)
    }
}
