/// An observer registration in force, which ends when the token is removed or its last reference is released.
///
/// The registry records the token's kind, event, owner, site and deliveries. The registry never retains the token or
/// its owner. ``keep()`` and ``keep(for:)`` let the registration outlive the last reference.
public final class ObserverToken: Registration, LockedState {
    private struct State: LockedState {
        // `nil` if the registration has ended.
        var removal: Action?
        // Set if the registration outlives its last reference.
        var keeping: Keeping?
    }

    /// What retains a kept token.
    private enum Keeping: LockedState {
        case always
        case untilDeath(OwnerWatch)
    }

    /// The kind of registration.
    public let kind: TokenKind
    /// The human-readable name of the observed event.
    public let event: String
    /// The registry that records the registration.
    public let registry: LifetimeRegistry

    private let receipt: TokenTable.Receipt
    private let state: Locked<State>

    /// The token's id.
    public var id: TokenID { receipt.id }

    /// Records a registration.
    ///
    /// - Parameters:
    ///   - kind: The kind of registration.
    ///   - event: The human-readable name of the observed event.
    ///   - owner: The owner of the registration; only its id is kept. If it dies while the token is in force, the token
    ///     is orphaned.
    ///   - ownerType: The type of an owner that is not traced; its tokens are counted but never orphaned.
    ///   - registry: The registry that records the registration; by default the owner's registry, or else
    ///     ``LifetimeRegistry/current``. A registry other than the owner's records only the owner's type, and the token
    ///     is never orphaned.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - removal: Ends the registration. Called once, on the thread that removes the token, outside all locks of the
    ///     tracer.
    public convenience init(
        _ kind: TokenKind, event: String, owner: (any Traced)? = nil, ownerType: Any.Type? = nil,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: Int = #line,
        removal: @escaping @Sendable () -> Void
    ) {
        self.init(
            kind, event: event, owner: TokenOwner(owner, type: ownerType), registry: registry, file: file, line: line,
            removal: removal)
    }

    /// Records a registration whose owner may be known by its id alone.
    package init(
        _ kind: TokenKind, event: String, owner: TokenOwner, registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: Int = #line, removal: @escaping @Sendable () -> Void
    ) {
        self.kind = kind
        self.event = event
        self.registry = registry ?? owner.registry ?? .current
        state = Locked(State(removal: Action(removal)))
        receipt = self.registry.tokenRegistered(
            kind: kind, event: event, owner: owner, site: SourceSite(file: file, line: line))
    }

    /// Whether the registration is in force.
    public var isInForce: Bool {
        state.withLock { $0.removal != nil }
    }

    /// Ends the registration; further calls do nothing.
    public func remove() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        switch ended.keeping {
        case .always: KeptTokens.release(self)
        // Otherwise the death action would stay until the owner dies.
        case .untilDeath(let watch): watch.end()
        case nil: break
        }
        guard let removal = ended.removal else { return }
        registry.tokenRemoved(receipt)
        removal()
    }

    /// Keeps the registration in force after its last reference is released, until it is removed or ends by itself.
    ///
    /// A request or a one-shot timer ends by itself. A repeating timer or an observer that is kept and never removed
    /// lasts as long as the process.
    public func keep() {
        KeptTokens.retain(self)
        guard !replaceKeeping(by: .always) else { return }
        KeptTokens.release(self)
    }

    /// Keeps the registration in force after its last reference is released, until an object dies, the token is
    /// removed or the registration ends by itself.
    ///
    /// Removes the token at once if the object is being destroyed.
    ///
    /// - Parameter object: The object, often the owner; it is not retained.
    public func keep(for object: some Traced) {
        let lifetime = object.lifetime
        // The action retains the token until the object dies.
        guard let action = lifetime.registry.onDeath(of: lifetime.id, { self.remove() }) else { return remove() }
        let watch = OwnerWatch(registry: lifetime.registry, owner: lifetime.id, action: action)
        if !replaceKeeping(by: .untilDeath(watch)) { watch.end() }
    }

    /// Changes what retains the token.
    ///
    /// - Returns: Whether the registration is in force.
    private func replaceKeeping(by keeping: Keeping) -> Bool {
        let (old, isInForce) = state.withLock { state -> (Keeping?, Bool) in
            guard state.removal != nil else { return (nil, false) }
            defer { state.keeping = keeping }
            return (state.keeping, true)
        }
        switch (old, keeping) {
        case (.always, .untilDeath): KeptTokens.release(self)
        case (.untilDeath(let watch), _): watch.end()
        case (.always, .always), (nil, _): break
        }
        return isInForce
    }

    /// Counts one delivery to the observer.
    public func recordDelivery() {
        registry.tokenDelivered(receipt)
    }

    deinit {
        remove()
    }
}

/// A watch for the death of the object for which a token is kept.
private struct OwnerWatch: LockedState {
    let registry: LifetimeRegistry
    let owner: InstanceID
    /// The key of the death action.
    let action: UInt64

    func end() {
        registry.removeDeathAction(action, of: owner)
    }
}

/// The tokens that are kept until they are removed.
private enum KeptTokens {
    private static let tokens = Locked<[ObjectIdentifier: ObserverToken]>([:])

    static func retain(_ token: ObserverToken) {
        tokens.withLock { $0[ObjectIdentifier(token)] = token }
    }

    static func release(_ token: ObserverToken) {
        tokens.removeAndRelease { $0.removeValue(forKey: ObjectIdentifier(token)) }
    }
}
