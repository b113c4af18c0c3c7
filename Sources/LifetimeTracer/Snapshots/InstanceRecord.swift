/// What a snapshot says of a live instance.
public struct InstanceRecord: Sendable {
    /// Its id.
    public let id: InstanceID
    /// Its type.
    public let type: TypeName
    /// When it was born.
    public let bornAt: MonotonicTime
    /// Where it was created; `nil` where the compiler did not say, as for an initializer that calls `super.init` implicitly.
    public let site: SourceSite?
    /// The calls that led to its creation, where they were recorded.
    public let creationStack: CreationStack?
    /// Its label.
    public let label: String?
    /// Its declared owner.
    public let owner: OwnerRecord?
    /// The node that holds it in its tree.
    public let parent: InstanceID?
    /// Why it gets no deadline when it leaves its tree.
    public let exemption: String?
    /// Whether a deadline of it has passed.
    public let isOverdue: Bool
}

/// The owner of an instance or a token.
public struct OwnerRecord: Sendable {
    /// The owner's id.
    public let id: InstanceID
    /// The owner's type.
    public let type: TypeName?
    /// Whether it is live, as far as that is known: while there are instances that are not listed, one that is not counts as live.
    public let isLive: Bool
}
