/// What a snapshot says of an invariant.
public struct InvariantRecord: Sendable {
    /// The type whose live instances are counted.
    public let type: TypeName
    /// The type for each of whose live instances ``count`` of ``type`` are expected.
    public let each: TypeName
    /// How many live instances of ``type`` are expected for each live instance of ``each``.
    public let count: Int
    /// Why, in words for people.
    public let reason: String
    /// Live instances of ``type``.
    public let live: UInt64
    /// Live instances of ``each``.
    public let eachLive: UInt64
    /// Since when the counts have disagreed; `nil` while they agree.
    public let disagreeingSince: MonotonicTime?
    /// Whether the invariant is broken: the counts have disagreed for longer than
    /// ``RegistryConfiguration/invariantGrace``.
    public let isBroken: Bool

    /// The counts against the expectation, in words for people.
    public var message: String {
        Verdict.invariantMessage(type, live, each, eachLive, count: count, reason: reason)
    }
}
