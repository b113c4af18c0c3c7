import LifetimeTracer

/// The numbers at a glance as they are sent.
struct WireSummary: JSONWritable {
    private let summary: RegistrySummary
    private let process: WireProcess
    private let time: Timestamp
    private let tracingSince: Timestamp
    private let isTracing: Bool
    private let recordsCreationStacks: Bool
    private let drops: [(buffer: String, limit: Int, dropped: UInt64)]

    init(_ summary: RegistrySummary, _ context: DashboardContext) {
        let clock = WireClock(context.registry, now: summary.at)
        self.summary = summary
        process = WireProcess(context.process, clock)
        time = clock.timestamp(summary.at)
        tracingSince = clock.timestamp(context.registry.startedAt)
        isTracing = LifetimeRegistry.isTracing
        drops = context.drops(summary)
        recordsCreationStacks = context.registry.recordsCreationStacks
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("version", DashboardContext.wireVersion)
            writer.field("time", time)
            writer.field("process", process)
            writer.field("tracingSince", tracingSince)
            writer.field("tracing", isTracing)
            writer.field("creationStacks", recordsCreationStacks)
            writer.key("instances")
            writer.object { writer in
                writer.field("live", summary.live)
                writer.field("peak", summary.peak)
                writer.field("born", summary.born)
                writer.field("died", summary.died)
            }
            writer.field("types", summary.types)
            writer.key("tokens")
            writeTokens(to: &writer)
            writer.key("verdicts")
            writeVerdicts(to: &writer)
            writer.key("drops")
            writer.array(drops) { writer, drop in
                writer.object { writer in
                    writer.field("buffer", drop.buffer)
                    writer.field("limit", drop.limit)
                    writer.field("dropped", drop.dropped)
                }
            }
            writer.field("registryBytes", summary.registryBytes)
        }
    }

    private func writeTokens(to writer: inout JSONWriter) {
        let tokens = summary.tokens
        writer.object { writer in
            writer.field("inForce", tokens.inForce)
            writer.field("registered", tokens.registered)
            writer.field("removed", tokens.removed)
            writer.field("refused", tokens.refused)
            writer.field("deliveries", tokens.deliveries)
            writer.key("byKind")
            writer.array(tokens.byKind) { writer, count in
                writer.object { writer in
                    writer.field("kind", count.kind.rawValue)
                    writer.field("inForce", count.inForce)
                    writer.field("registered", count.registered)
                    writer.field("removed", count.removed)
                }
            }
        }
    }

    private func writeVerdicts(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("overdue", summary.overdue)
            writer.field("late", summary.late)
            writer.field("overBudget", summary.overBudget)
            writer.field("orphaned", summary.tokens.orphaned)
            writer.field("brokenInvariants", summary.brokenInvariants)
            writer.field("crowded", summary.tokens.crowded)
        }
    }
}
