/// An observer registration in force, which ends when the token is removed or its last reference is released.
///
/// The registry records the token's kind, event, owner, site and deliveries. The registry never retains the token or
/// its owner.
public final class ObserverToken: LockedState {
    /// The kind of registration.
    public let kind: TokenKind
    /// The human-readable name of the observed event.
    public let event: String
    /// The registry that records the registration.
    public let registry: LifetimeRegistry

    private let registration: TokenTable.Registration
    private let removal: Locked<Action?>

    /// The token's id.
    public var id: TokenID { registration.id }

    /// Records a registration.
    ///
    /// - Parameters:
    ///   - kind: The kind of registration.
    ///   - event: The human-readable name of the observed event.
    ///   - owner: The owner of the registration.
    ///   - registry: The registry that records the registration; by default the owner's registry, or else
    ///     ``LifetimeRegistry/current``. A registry other than the owner's records only the owner's type, and the token
    ///     is never orphaned.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - removal: Ends the registration. Called once, on the thread that removes the token, outside all locks of the
    ///     tracer.
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
