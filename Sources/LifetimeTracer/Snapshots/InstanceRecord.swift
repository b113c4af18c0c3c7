/// A live instance, in a snapshot.
public struct InstanceRecord: Sendable {
    /// The instance's id.
    public let id: InstanceID
    /// The instance's type.
    public let type: TypeName
    /// When the instance was born.
    public let bornAt: MonotonicTime
    /// The creation site; `nil` if the compiler gave none, as for an initializer that calls `super.init` implicitly.
    public let site: SourceSite?
    /// The calls that led to the creation, if they were recorded.
    public let creationStack: CreationStack?
    /// The instance's label.
    public let label: String?
    /// The declared owner.
    public let owner: OwnerRecord?
    /// The instance's parent in a tree of nodes.
    public let parent: InstanceID?
    /// The reason for its exemption from the leaving deadline.
    public let exemption: String?
    /// Whether one of the instance's deadlines has passed.
    public let isOverdue: Bool
}

/// The owner of an instance or a token.
public struct OwnerRecord: Sendable {
    /// The owner's id.
    public let id: InstanceID
    /// The owner's type.
    public let type: TypeName?
    /// Whether the owner is live, as far as that is known.
    ///
    /// While unlisted instances exist, an unlisted owner counts as live.
    public let isLive: Bool
}
