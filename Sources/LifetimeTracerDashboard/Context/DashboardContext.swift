import LifetimeTracer
import RetainPaths

/// The data and state that the routes share.
struct DashboardContext: Sendable {
    /// The version of the wire format; see Documentation/JSON.md.
    static let wireVersion = 1
    /// The JSON schema of the version.
    static let wireVersionSchema = JSONSchema.integer(wireVersion...wireVersion)

    /// The registry that the dashboard shows.
    let registry: LifetimeRegistry
    /// The facts about the process that do not change.
    let process: ProcessFacts
    /// The outcome of the self-test, which runs when the dashboard is created.
    let selfTest: SelfTest
    /// The searches for retain paths and their results.
    let retainSearches: RetainSearches
    /// The captures of the heap.
    let heapCaptures: HeapCaptures
    /// The searches for what holds the objects of a type of a capture.
    let heapPaths: HeapPathSearches
    /// The order of the types by name.
    let typeOrder = TypeOrder()
    /// The labels of the types in the metrics.
    let typeLabels = TypeLabels()
    /// The labels of the counts of verdicts in the metrics.
    let verdictLabels = VerdictLabels()
    /// The recent numbers of live instances by type.
    let typeTrends: TypeTrends
    /// The resources that the process used in the last hour.
    let processHistory: ProcessHistory
    /// The number of fork children, which the dashboard does not show.
    let forkChildren: ForkChildCount
    /// The leaks that were acknowledged on the page or through the API since the process started.
    let acknowledgedLeaks = AcknowledgedLeaks()
    /// The leaks in the file of known leaks.
    private let knownLeaks: KnownLeaks
    /// The sessions and the wrong access tokens.
    let access = AccessRecord()
    /// Reads the resource usage of the process, with or without the bytes of the heap.
    let usage: @Sendable (_ withHeap: Bool) -> ProcessUsage

    /// Creates a context.
    init(
        registry: LifetimeRegistry, process: ProcessFacts, selfTest: SelfTest,
        explainer: RetainExplainer = .inACopy(RetainPaths.Options()),
        capturer: HeapCapturer = .inACopy(RetainPaths.Options()),
        usage: @escaping @Sendable (_ withHeap: Bool) -> ProcessUsage = ProcessUsage.current(withHeap:)
    ) {
        self.registry = registry
        self.process = process
        self.selfTest = selfTest
        self.usage = usage
        knownLeaks = explainer.knownLeaks
        retainSearches = RetainSearches(registry, explainer)
        heapCaptures = HeapCaptures(registry, capturer)
        heapPaths = HeapPathSearches(registry, capturer)
        typeTrends = TypeTrends(registry)
        processHistory = ProcessHistory(registry, usage: usage)
        forkChildren = ForkChildCount(registry)
    }

    /// The growing types.
    var growingTypes: [TypeName: GrowthRecord] {
        registry.growth().reduce(into: [:]) { types, growth in
            if case .type(let type) = growth.subject { types[type] = growth }
        }
    }

    /// Returns the known leak with the fingerprint of a verdict, if any.
    func known(_ fingerprint: Fingerprint) -> KnownLeakEntry? {
        let now = registry.wallTime(at: registry.clock.now())
        if let leak = knownLeaks.match(fingerprint, at: now) { return KnownLeakEntry(leak) }
        return acknowledgedLeaks.all.first { $0.fingerprint == fingerprint }.map(KnownLeakEntry.init)
    }

    /// Returns the limit and the number of dropped entries of each bounded buffer.
    func drops(_ summary: RegistrySummary) -> [(buffer: String, limit: Int, dropped: Int)] {
        summary.drops.map { ($0.buffer, $0.limit, $0.dropped) } + [
            ("retainSearches", RetainSearches.jobLimit, retainSearches.overview.dropped),
            ("typeTrends", TypeTrends.typeLimit, typeTrends.dropped),
        ] + access.drops
    }
}
