/// An invariant, in a snapshot.
public struct InvariantRecord: Sendable {
    /// The type whose live instances are counted.
    public let type: TypeName
    /// The type whose live instances each require ``count`` live instances of ``type``.
    public let each: TypeName
    /// The number of live instances of ``type`` expected for each live instance of ``each``.
    public let count: Int
    /// The human-readable reason.
    public let reason: String
    /// The number of live instances of ``type``.
    public let live: Int
    /// The number of live instances of ``each``.
    public let eachLive: Int
    /// The time since which the counts have disagreed; `nil` while they agree.
    public let disagreeingSince: MonotonicTime?
    /// Whether the invariant is broken: the counts have disagreed for longer than
    /// ``RegistryConfiguration/invariantGrace``.
    public let isBroken: Bool

    /// A human-readable comparison of the counts with the expectation.
    public var message: String {
        Verdict.invariantMessage(type, live, each, eachLive, count: count, reason: reason)
    }
}
