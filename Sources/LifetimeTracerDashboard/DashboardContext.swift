import LifetimeTracer
import RetainPaths

/// What the routes answer from.
struct DashboardContext: Sendable {
    /// The version of the wire format; see Documentation/JSON.md.
    static let wireVersion = 1
    /// The schema of the version.
    static let wireVersionSchema = JSONSchema.integer(wireVersion...wireVersion)

    /// The registry that is shown.
    let registry: LifetimeRegistry
    /// What does not change about the process.
    let process: ProcessFacts
    /// The outcome of the self-test at the start.
    let selfTest: SelfTest
    /// Who holds what, as far as somebody asked.
    let retainSearches: RetainSearches
    /// How many instances of each type there were lately.
    let typeTrends: TypeTrends
    /// The leaks that somebody said are known, while the process runs.
    let silencedLeaks = SilencedLeaks()
    /// Who has shown an access token, right or wrong.
    let access = AccessRecord()
    /// What the process uses of the machine.
    let usage: @Sendable () -> ProcessUsage

    /// Puts together what the routes answer from.
    init(
        registry: LifetimeRegistry, process: ProcessFacts, selfTest: SelfTest,
        explainer: RetainExplainer = .inACopy(RetainPaths.Options()),
        usage: @escaping @Sendable () -> ProcessUsage = ProcessUsage.current
    ) {
        self.registry = registry
        self.process = process
        self.selfTest = selfTest
        self.usage = usage
        retainSearches = RetainSearches(registry, explainer)
        typeTrends = TypeTrends(registry)
    }

    /// What each bounded buffer dropped.
    func drops(_ summary: RegistrySummary) -> [(buffer: String, limit: Int, dropped: UInt64)] {
        summary.drops.map { ($0.buffer, $0.limit, $0.dropped) } + [
            ("retainSearches", RetainSearches.jobLimit, retainSearches.overview.dropped),
            ("typeTrends", TypeTrends.typeLimit, typeTrends.dropped),
        ] + access.drops
    }
}
