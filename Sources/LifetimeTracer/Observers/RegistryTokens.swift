extension LifetimeRegistry {
    /// Sets the number of tokens of one event and owner type above which they are reported as crowded, counting tokens
    /// of all kinds.
    ///
    /// The threshold is checked at once and at each later registration.
    ///
    /// - Parameters:
    ///   - threshold: The most tokens allowed, from 0; `nil` removes the threshold.
    ///   - event: The event.
    ///   - ownerType: The owner type; `nil` applies the threshold to each owner type of the event.
    /// - Throws: ``TracerError`` for a negative threshold.
    public func setTokenThreshold(
        _ threshold: Int?, event: String, ownerType: Any.Type? = nil
    ) throws(TracerError) {
        if let threshold, threshold < 0 { throw .invalidCount("threshold", threshold) }
        let ownerType = ownerType.map { name(of: $0).qualified }
        let passed = tokens.withLock { $0.crowds.setThreshold(threshold, event: event, ownerType: ownerType) }
        let now = clock.now()
        report(passed.map { .crowded($0, at: now) })
    }

    /// Counts a refused registration, such as a second one of the same owner type.
    package func tokenRefused(kind: TokenKind, event: String, owner: TokenOwner) {
        let group = TokenTable.Group(kind: kind, event: event, ownerType: ownerType(of: owner))
        tokens.withLock { $0.refuse(group) }
    }

    func tokenRegistered(
        kind: TokenKind, event: String, owner: TokenOwner, site: SourceSite
    ) -> TokenTable.Receipt {
        let group = TokenTable.Group(kind: kind, event: event, ownerType: ownerType(of: owner))
        // An id from another registry means another instance here.
        let ownerID = owner.registry === self ? owner.id : nil
        // The owner is watched first, so that its death after the registration is not missed.
        if let ownerID { _ = store.watch(ownerID, for: .token) }
        let now = clock.now()
        let (receipt, crowd, isOrphaned) = tokens.withLock { tokens in
            let (receipt, crowd) = tokens.register(group, owner: ownerID, site: site, at: now)
            let isOrphaned = ownerID.map { store.hasDied($0) && tokens.ownerDied($0, at: now) } ?? false
            return (receipt, crowd, isOrphaned)
        }
        if isOrphaned { thread.wake(by: now + configuration.orphanGrace) }
        if let crowd { report([.crowded(crowd, at: now)]) }
        return receipt
    }

    func tokenRemoved(_ receipt: TokenTable.Receipt) {
        let actions = tokens.withLock { tokens in
            tokens.remove(receipt)
            return tokens.removalActions
        }
        for action in actions.values { action() }
    }

    func tokenDelivered(_ receipt: TokenTable.Receipt) {
        tokens.withLock { $0.deliver(receipt) }
    }

    private func ownerType(of owner: TokenOwner) -> TypeName? {
        // The type name recorded with the instance takes precedence: it may be numbered, or the name of a superclass.
        if let id = owner.id, owner.registry === self, let name = store.typeName(of: id) { return name }
        return owner.type.map { name(of: $0) }
    }

    /// The name under which the registry counts a type, or would count it.
    package func name(of type: Any.Type) -> TypeName {
        store.knownName(of: type) ?? TypeNames.name(of: type)
    }
}

/// A cache of the names of types that are not traced themselves.
enum TypeNames {
    private static let cache = Locked<[ObjectIdentifier: TypeName]>([:])
    private static let limit = 10_000

    static func name(of type: Any.Type) -> TypeName {
        let key = ObjectIdentifier(type)
        if let known = cache.withLock({ $0[key] }) { return known }
        let name = TypeName(of: type)
        cache.withLock { cache in
            if cache.count < limit { cache[key] = name }
        }
        return name
    }
}

extension TracerError {
    static func invalidCount(_ what: String, _ value: Int) -> Self {
        Self(.invalidCount, "The \(what) \(value) is negative.", hint: "Use 0 or more.")
    }
}
