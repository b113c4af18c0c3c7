/// What a snapshot says of a deadline in force.
public struct DeadlineRecord: Sendable {
    /// The instance that should be gone by then.
    public let instance: InstanceID
    /// Its type.
    public let type: TypeName
    /// Why it should be gone, in words.
    public let reason: String
    /// A sentence on an instance that is still there.
    public let message: String
    /// When it was set.
    public let setAt: MonotonicTime
    /// How long the instance was given.
    public let within: Duration
    /// When the instance should be gone.
    public let due: MonotonicTime
    /// Where the program said so; `nil` for a node that left its tree.
    public let site: SourceSite?
    /// Whether the instance is overdue.
    public let isOverdue: Bool
    /// The same for the same leak in every run.
    public let fingerprint: Fingerprint
}

/// What a snapshot says of an instance that went after its deadline.
public struct LateRecord: Sendable {
    /// The deadline that it missed.
    public let deadline: DeadlineRecord
    /// Its label.
    public let label: String?
    /// Its declared owner.
    public let owner: InstanceID?
    /// Where it was created.
    public let site: SourceSite?
    /// When it went.
    public let goneAt: MonotonicTime
}

extension DeadlineRecord {
    init(_ entry: DeadlineTable.Entry, isOverdue: Bool) {
        instance = entry.instance
        type = entry.type
        reason = entry.cause.reason
        message = entry.cause.message(for: entry.type)
        setAt = entry.setAt
        within = entry.within
        due = entry.due
        site = entry.site
        self.isOverdue = isOverdue
        fingerprint = Fingerprint(kind: .overdue, type: entry.type, reason: entry.cause.reason)
    }
}
