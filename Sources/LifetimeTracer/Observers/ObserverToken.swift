/// One observer registration in force: it ends when it is removed, or when the last reference to it goes.
///
/// The registry records its kind, event, owner, site and deliveries. It never holds the token or its owner.
public final class ObserverToken: LockedState {
    /// What sort of registration it stands for.
    public let kind: TokenKind
    /// What is observed.
    public let event: String
    /// Where it is recorded.
    public let registry: LifetimeRegistry

    private let registration: TokenTable.Registration
    private let removal: Locked<Action?>

    /// The token's id.
    public var id: TokenID { registration.id }

    /// Records a registration.
    ///
    /// - Parameters:
    ///   - kind: What sort of registration it is.
    ///   - event: What is observed, in a name for people.
    ///   - owner: For whom.
    ///   - registry: Where to record it; by default the owner's registry, else ``LifetimeRegistry/current``. In another than the
    ///     owner's it is recorded for the owner's type, and is never orphaned.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    ///   - removal: Ends the registration. Called once, on the thread that removes the token, outside all locks of the tracer.
    public init(
        _ kind: TokenKind, event: String, owner: TokenOwner = .nobody, registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: UInt32 = #line, removal: @escaping @Sendable () -> Void
    ) {
        self.kind = kind
        self.event = event
        self.registry = registry ?? owner.registry ?? .current
        self.removal = Locked(Action(removal))
        registration = self.registry.tokenRegistered(
            kind: kind, event: event, owner: owner, site: SourceSite(file: file, line: line))
    }

    /// Whether the registration is in force.
    public var isInForce: Bool {
        removal.withLock { $0 != nil }
    }

    /// Ends the registration; further calls do nothing.
    public func remove() {
        let removal = removal.withLock { removal in
            defer { removal = nil }
            return removal
        }
        guard let removal else { return }
        registry.tokenRemoved(registration)
        removal()
    }

    /// Counts one delivery to the observer.
    public func recordDelivery() {
        registry.tokenDelivered(registration)
    }

    deinit {
        remove()
    }
}
