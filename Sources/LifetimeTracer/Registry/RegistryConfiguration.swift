/// How much a registry keeps and how patient it is.
public struct RegistryConfiguration: Sendable {
    /// How long a node that left its tree may take to go.
    public var leavingDelay: Duration = .seconds(2)
    /// How long a token may outlast its owner before it counts as orphaned.
    ///
    /// An object that removes its tokens as it goes does so a moment after it is recorded as gone.
    public var orphanGrace: Duration = .milliseconds(250)
    /// How long an invariant may be broken before it is reported, so that objects may be made one after the other.
    public var invariantGrace: Duration = .seconds(1)
    /// More tokens of one event and owner type than this are reported as crowded; `nil` for no threshold.
    public var tokenThreshold: Int?

    /// Live instances that are listed; more are only counted.
    public var instanceLimit = 4_000_000
    /// Deaths that are remembered, to answer "it died at …".
    public var rememberedDeathLimit = 4096
    /// Tokens in force that are listed; more are only counted.
    public var tokenLimit = 100_000
    /// Deadlines in force; more are refused.
    public var deadlineLimit = 1_000_000
    /// Late instances that are listed.
    public var lateLimit = 1000
    /// Verdicts that are kept for those who come late.
    public var verdictLimit = 1000
    /// Marks.
    public var markLimit = 64
    /// History samples.
    public var historyLimit = 3600

    /// Creates the default configuration.
    public init() {}

    /// Traps when a value makes no sense, which is a mistake in the program, and names it.
    func requireSense() {
        for (name, delay) in [
            ("leavingDelay", leavingDelay), ("orphanGrace", orphanGrace), ("invariantGrace", invariantGrace),
        ] {
            precondition(
                delay >= .zero && delay <= Delay.longest,
                "RegistryConfiguration.\(name) is \(delay); give one from 0 seconds to 365 days")
        }
        for (name, limit, least) in [
            ("instanceLimit", instanceLimit, 0), ("tokenLimit", tokenLimit, 0), ("deadlineLimit", deadlineLimit, 0),
            ("markLimit", markLimit, 0), ("tokenThreshold", tokenThreshold ?? 0, 0),
            ("rememberedDeathLimit", rememberedDeathLimit, 1), ("lateLimit", lateLimit, 1),
            ("verdictLimit", verdictLimit, 1), ("historyLimit", historyLimit, 1),
        ] {
            precondition(limit >= least, "RegistryConfiguration.\(name) is \(limit); give \(least) or more")
        }
    }
}
