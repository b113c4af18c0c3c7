/// A finding of the tracer that something is not as it should be.
public struct Verdict: Sendable {
    /// The kind of a verdict.
    public enum Kind: String, LockedState, CaseIterable {
        /// The instance is live after its deadline.
        case overdue
        /// The instance died after its deadline.
        case late
        /// A type or group has more live instances than its budget allows.
        case overBudget
        /// An observer token is in force although its owner has died.
        case orphanedToken
        /// The counts of two types violate an invariant.
        case brokenInvariant
        /// More tokens of one event and owner type are in force than their threshold allows.
        case crowded
        /// Instances of a type, tokens or all instances become more and more.
        case growing
    }

    /// The verdict's number, which rises with every verdict of the registry, from 1.
    public internal(set) var id: UInt64 = 0
    /// The kind of the verdict.
    public let kind: Kind
    /// When the verdict was reached.
    public let at: MonotonicTime
    /// The type concerned.
    public let type: TypeName?
    /// The instance concerned, for verdicts on an instance.
    public let instance: InstanceID?
    /// The instance's label.
    public let label: String?
    /// Where the instance was created, or the token registered; for a growing subject, the site of most of them.
    public let site: SourceSite?
    /// The event, for verdicts on tokens.
    public let event: String?
    /// The human-readable reason for the expectation.
    public let reason: String
    /// A human-readable sentence.
    public let message: String
    /// The identifier of the leak, the same in every run.
    public let fingerprint: Fingerprint

    init(
        _ kind: Kind, at time: MonotonicTime, type: TypeName?, instance: InstanceID? = nil, label: String? = nil,
        event: String? = nil, site: SourceSite? = nil, reason: String, message: String,
        fingerprint: Fingerprint? = nil
    ) {
        self.kind = kind
        at = time
        self.type = type
        self.instance = instance
        self.label = label
        self.event = event
        self.site = site
        self.reason = reason
        self.message = message
        self.fingerprint =
            fingerprint ?? Fingerprint(kind: kind == .late ? .overdue : kind, type: type, reason: reason)
    }
}
