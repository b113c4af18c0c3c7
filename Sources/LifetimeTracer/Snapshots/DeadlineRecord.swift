/// A deadline in force, in a snapshot.
public struct DeadlineRecord: Sendable {
    /// The instance that should be gone by the deadline.
    public let instance: InstanceID
    /// The type of the instance.
    public let type: TypeName
    /// The human-readable reason for the deadline.
    public let reason: String
    /// A sentence about the instance if it is still live.
    public let message: String
    /// When the deadline was set.
    public let setAt: MonotonicTime
    /// The time that the instance was given.
    public let within: Duration
    /// When the instance should be gone.
    public let due: MonotonicTime
    /// Where the program set the deadline; `nil` for a node that left its tree.
    public let site: SourceSite?
    /// Whether the instance is overdue.
    public let isOverdue: Bool
    /// The identifier of the leak, the same in every run.
    public let fingerprint: Fingerprint
}

/// An instance that died after its deadline, in a snapshot.
public struct LateRecord: Sendable {
    /// The missed deadline.
    public let deadline: DeadlineRecord
    /// The label of the instance.
    public let label: String?
    /// The declared owner of the instance.
    public let owner: InstanceID?
    /// The creation site of the instance.
    public let site: SourceSite?
    /// When the instance died.
    public let goneAt: MonotonicTime
}

extension DeadlineRecord {
    /// The message and the fingerprint of deadlines, each made once for all instances with the same type and cause.
    struct Texts {
        private struct Key: Hashable {
            let type: TypeName
            let cause: DeadlineCause
        }

        private var known: [Key: (message: String, fingerprint: Fingerprint)] = [:]

        mutating func of(_ entry: DeadlineTable.Entry) -> (message: String, fingerprint: Fingerprint) {
            let key = Key(type: entry.type, cause: entry.cause)
            if let texts = known[key] { return texts }
            let texts = (
                message: entry.cause.message(for: entry.type),
                fingerprint: Fingerprint(kind: .overdue, type: entry.type, reason: entry.cause.reason)
            )
            known[key] = texts
            return texts
        }
    }

    init(
        _ entry: DeadlineTable.Entry, isOverdue: Bool, _ texts: (message: String, fingerprint: Fingerprint)
    ) {
        instance = entry.instance
        type = entry.type
        reason = entry.cause.reason
        message = texts.message
        setAt = entry.setAt
        within = entry.within
        due = entry.due
        site = entry.site
        self.isOverdue = isOverdue
        fingerprint = texts.fingerprint
    }
}
