import LifetimeTracer
import TracerBase

/// The wire type of the summary.
struct WireSummary: JSONObject {
    private let summary: RegistrySummary
    private let process: WireProcess
    private let time: Timestamp
    private let tracingSince: Timestamp
    private let isTracing: Bool
    private let recordsCreationStacks: Bool
    private let drops: [WireDrops]
    private let forkChildren: Int

    init(_ summary: RegistrySummary, _ context: DashboardContext) {
        let clock = WireClock(context.registry, now: summary.at)
        self.summary = summary
        process = WireProcess(context.process, clock)
        time = clock.timestamp(summary.at)
        tracingSince = clock.timestamp(context.registry.startedAt)
        isTracing = LifetimeRegistry.isTracing
        drops = context.drops(summary).map { WireDrops(buffer: $0.buffer, limit: $0.limit, dropped: $0.dropped) }
        recordsCreationStacks = context.registry.recordsCreationStacks
        forkChildren = context.forkChildren.current
    }

    static let fields = Field.list {
        Field("version", as: DashboardContext.wireVersionSchema) { _ in DashboardContext.wireVersion }
        Field("time") { $0.time }
        Field("process") { $0.process }
        Field("forkChildren", as: .integer(0...)) { $0.forkChildren }
        Field("tracingSince") { $0.tracingSince }
        Field("tracing") { $0.isTracing }
        Field("creationStacks") { $0.recordsCreationStacks }
        Field("instances") { WireInstanceCounts(summary: $0.summary) }
        Field("types", as: .integer(0...)) { $0.summary.types }
        Field("tokens") { WireTokenCounts(tokens: $0.summary.tokens) }
        Field("verdicts") { WireVerdictCounts(summary: $0.summary) }
        Field("drops") { $0.drops }
        Field("registryBytes", as: .integer(0...)) { $0.summary.registryBytes }
    }
}

/// The wire type of the counts of all instances.
private struct WireInstanceCounts: JSONObject {
    let summary: RegistrySummary

    static let fields = Field.list {
        Field("live") { $0.summary.live }
        Field("peak") { $0.summary.peak }
        Field("born") { $0.summary.born }
        Field("died") { $0.summary.died }
    }
}

/// The wire type of the counts of all verdicts.
private struct WireVerdictCounts: JSONObject {
    let summary: RegistrySummary

    static let fields = Field.list {
        Field("overdue", as: .integer(0...)) { $0.summary.overdue }
        Field("late", as: .integer(0...)) { $0.summary.late }
        Field("overBudget", as: .integer(0...)) { $0.summary.overBudget }
        Field("orphaned", as: .integer(0...)) { $0.summary.tokens.orphaned }
        Field("brokenInvariants", as: .integer(0...)) { $0.summary.brokenInvariants }
        Field("crowded", as: .integer(0...)) { $0.summary.tokens.crowded }
        Field("growing", as: .integer(0...)) { $0.summary.growing }
    }
}

/// The wire type of a bounded buffer: its limit and the number of dropped entries.
struct WireDrops: JSONObject {
    let buffer: String
    let limit: Int
    let dropped: Int

    static let fields = Field.list {
        Field("buffer") { $0.buffer }
        Field("limit", as: .integer(0...)) { $0.limit }
        Field("dropped") { $0.dropped }
    }

    /// Writes the same as the fields, in less time: each summary has a dozen.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("buffer", buffer)
            writer.member("limit", limit)
            writer.member("dropped", dropped)
        }
    }
}
