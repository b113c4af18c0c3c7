/// The limits and delays of a registry.
public struct RegistryConfiguration: Sendable {
    /// How long a node that has left its tree may take to be deallocated.
    public var leavingDelay: Duration = .seconds(2)
    /// How long a token may outlast its owner before it counts as orphaned.
    ///
    /// An object that removes its tokens during its destruction does so a moment after it is recorded as dead.
    public var orphanGrace: Duration = .milliseconds(250)
    /// How long an invariant may be broken before it is reported, because objects that belong together are created one
    /// after the other.
    public var invariantGrace: Duration = .seconds(1)
    /// The number of tokens of one event and owner type above which they are reported as crowded; `nil` for no
    /// threshold.
    public var tokenThreshold: Int?

    /// The most live instances that are listed; further ones are only counted.
    public var instanceLimit = 4_000_000
    /// The most deaths that are remembered, so that an error can say when an instance died.
    public var rememberedDeathLimit = 4096
    /// The most tokens in force that are listed; further ones are only counted.
    public var tokenLimit = 100_000
    /// The most deadlines in force; further ones are refused.
    public var deadlineLimit = 1_000_000
    /// The most late instances that are listed.
    public var lateLimit = 1000
    /// The most recent verdicts that are kept for later queries.
    public var verdictLimit = 1000
    /// The most marks.
    public var markLimit = 64
    /// The most history samples.
    public var historyLimit = 3600

    /// Creates the default configuration.
    public init() {}

    /// Traps with a message if a value is out of range, which is a programming error.
    func requireSense() {
        for (name, delay) in [
            ("leavingDelay", leavingDelay), ("orphanGrace", orphanGrace), ("invariantGrace", invariantGrace),
        ] {
            precondition(
                delay >= .zero && delay <= Delay.longest,
                "RegistryConfiguration.\(name) is \(delay); use 0 seconds to 365 days")
        }
        for (name, limit, least) in [
            ("instanceLimit", instanceLimit, 0), ("tokenLimit", tokenLimit, 0), ("deadlineLimit", deadlineLimit, 0),
            ("markLimit", markLimit, 0), ("tokenThreshold", tokenThreshold ?? 0, 0),
            ("rememberedDeathLimit", rememberedDeathLimit, 1), ("lateLimit", lateLimit, 1),
            ("verdictLimit", verdictLimit, 1), ("historyLimit", historyLimit, 1),
        ] {
            precondition(limit >= least, "RegistryConfiguration.\(name) is \(limit); use \(least) or more")
        }
    }
}
