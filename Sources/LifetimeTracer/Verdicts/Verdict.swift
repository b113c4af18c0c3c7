/// A finding of the tracer: something should not be as it is.
public struct Verdict: Sendable {
    /// What was found.
    public enum Kind: String, LockedState, CaseIterable {
        /// An instance is live after its deadline.
        case overdue
        /// An instance went after its deadline.
        case late
        /// There are more live instances of a type or group than its budget allows.
        case overBudget
        /// An observer token is in force although its owner has gone.
        case orphanedToken
        /// The counts of two types do not agree as they should.
        case brokenInvariant
        /// More tokens of one event and owner type are in force than their threshold allows.
        case crowded
    }

    /// Rises with every verdict of the registry, from 1.
    public internal(set) var id: UInt64 = 0
    /// What was found.
    public let kind: Kind
    /// When it was found.
    public let at: MonotonicTime
    /// The type in question.
    public let type: TypeName?
    /// The instance in question, if it is about one.
    public let instance: InstanceID?
    /// The instance's label.
    public let label: String?
    /// The event, for verdicts on tokens.
    public let event: String?
    /// Why it should be otherwise, in words.
    public let reason: String
    /// A sentence for people.
    public let message: String
    /// The same for the same leak in every run.
    public let fingerprint: Fingerprint

    init(
        _ kind: Kind, at time: MonotonicTime, type: TypeName?, instance: InstanceID? = nil, label: String? = nil,
        event: String? = nil, reason: String, message: String
    ) {
        self.kind = kind
        at = time
        self.type = type
        self.instance = instance
        self.label = label
        self.event = event
        self.reason = reason
        self.message = message
        fingerprint = Fingerprint(kind: kind == .late ? .overdue : kind, type: type, reason: reason)
    }
}
