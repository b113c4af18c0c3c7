import LifetimeTracer

/// The metrics of a registry and of the process.
///
/// Costs time proportional to the number of types, not of instances. A class, because the writing of each series would
/// copy the parts of a value.
final class RegistryMetrics: Sendable {
    /// The value of the label `type` for verdicts that concern no type.
    static let noType = "none"

    // Made once, because they are put together.
    private static let helpOfVerdicts =
        "Verdicts so far. The label type is \(noType) for a verdict without a type, and \(TypeSeries.otherTypes) for "
        + "types after the first \(VerdictCounts.typeLimit) with a verdict."
    private static let helpOfOtherTypes =
        "Types without their own series, which are summed as \(TypeSeries.otherTypes)."
    private static let helpOfLive =
        "Live instances. Types after the first \(TypeSeries.limit) share the label \(TypeSeries.otherTypes)."

    private let summary: RegistrySummary
    private let types: TypeSeries
    private let verdicts: VerdictSeries
    private let context: DashboardContext

    init(_ context: DashboardContext) {
        self.context = context
        let (summary, types) = context.registry.summaryWithTypes()
        self.summary = summary
        self.types = TypeSeries(types, context.typeLabels)
        verdicts = VerdictSeries(context.registry.verdictCounts(), context.verdictLabels)
    }

    /// Returns the whole text in UTF-8.
    func bytes(_ format: MetricsFormat, reservingCapacity capacity: Int) -> [UInt8] {
        MetricsWriter.bytes(format, reservingCapacity: capacity) { write(to: &$0) }
    }

    private func write(to writer: inout MetricsWriter) {
        writer.metric(
            "lifetime_tracer_build_info", .gauge, "Always 1; the label is the version of the tracer.", label: "version",
            [(context.process.libraryVersion, 1)])
        writeState(to: &writer)
        writeInstances(to: &writer)
        writeTokens(to: &writer)
        writeVerdicts(to: &writer)
        let drops = context.drops(summary)
        writer.metric(
            "lifetime_tracer_buffer_limit", .gauge, "Maximum number of entries of a bounded buffer.", label: "buffer",
            drops.map { ($0.buffer, $0.limit) })
        writer.metric(
            "lifetime_tracer_dropped", .counter, "Entries that a full bounded buffer dropped.", label: "buffer",
            drops.map { ($0.buffer, $0.dropped) })
        writer.metric(
            "lifetime_tracer_registry_bytes", .gauge, "Estimated memory of the registry in bytes.",
            summary.registryBytes)
        writer.metric(
            "lifetime_tracer_access_tokens_wrong", .counter, "Requests with a wrong access token.",
            context.access.wrongAccessTokens)
        ProcessMetrics(facts: context.process, usage: context.usage(false)).write(to: &writer)
        writer.finish()
    }

    /// Writes whether the other metrics can be trusted: without a working tracer, they only stop changing.
    private func writeState(to writer: inout MetricsWriter) {
        let health = TracerHealth(context.registry.activity(), context.selfTest)
        writer.metric(
            "lifetime_tracer_healthy", .gauge, "1 if /healthz answers 200, else 0.", health.status == .ok ? 1 : 0)
        writer.metric(
            "lifetime_tracer_tracing", .gauge, "1 while new objects are traced, else 0.",
            LifetimeRegistry.isTracing ? 1 : 0)
    }

    private func writeInstances(to writer: inout MetricsWriter) {
        writer.metric("lifetime_tracer_types", .gauge, "Types known to the registry.", summary.types)
        writer.metric(
            "lifetime_tracer_types_other", .gauge,
            Self.helpOfOtherTypes,
            types.otherCount)
        writer.metric(
            "lifetime_tracer_instances_live", .gauge, Self.helpOfLive, labels: types.labels
        ) { types.value(\.live, at: $0) }
        writer.metric(
            "lifetime_tracer_instances_peak", .gauge,
            "Maximum number of instances live at the same time. For other types, the sum of their peaks.",
            labels: types.labels
        ) { types.value(\.peak, at: $0) }
        writer.metric(
            "lifetime_tracer_instances_born", .counter, "Births so far.",
            labels: types.labels
        ) { types.value(\.born, at: $0) }
        writer.metric(
            "lifetime_tracer_instances_died", .counter, "Deaths so far.",
            labels: types.labels
        ) { types.value(\.died, at: $0) }
        writer.metric(
            "lifetime_tracer_instances_overdue", .gauge, "Live instances whose deadline has passed.",
            labels: types.labels
        ) { types.value(\.overdue, at: $0) }
        writer.metric(
            "lifetime_tracer_instances_became_overdue", .counter, "Times that an instance became overdue so far.",
            labels: types.labels
        ) { types.value(\.becameOverdue, at: $0) }
        writer.metric(
            "lifetime_tracer_instances_late", .counter, "Instances that died after their deadline.", summary.late)
    }

    private func writeTokens(to writer: inout MetricsWriter) {
        let tokens = summary.tokens
        writer.metric(
            "lifetime_tracer_tokens_in_force", .gauge, "Observer tokens in force.", label: "kind",
            tokens.byKind.map { ($0.kind.rawValue, $0.inForce) })
        writer.metric(
            "lifetime_tracer_tokens_registered", .counter, "Registrations so far.", label: "kind",
            tokens.byKind.map { ($0.kind.rawValue, $0.registered) })
        writer.metric(
            "lifetime_tracer_tokens_removed", .counter, "Removals so far.", label: "kind",
            tokens.byKind.map { ($0.kind.rawValue, $0.removed) })
        writer.metric(
            "lifetime_tracer_tokens_refused", .counter, "Registrations that were refused.", tokens.refused)
        writer.metric("lifetime_tracer_token_deliveries", .counter, "Deliveries to observers.", tokens.deliveries)
        writer.metric(
            "lifetime_tracer_tokens_orphaned", .gauge, "Tokens in force whose owner has died.", tokens.orphaned)
        writer.metric(
            "lifetime_tracer_tokens_crowded", .gauge,
            "Events and owner types with more tokens in force than their threshold.",
            tokens.crowded)
    }

    private func writeVerdicts(to writer: inout MetricsWriter) {
        writer.metric(
            "lifetime_tracer_verdicts", .counter,
            Self.helpOfVerdicts, labels: verdicts.labels, verdicts.value(at:))
        writer.metric(
            "lifetime_tracer_budgets_exceeded", .gauge, "Types and groups over their budgets.", summary.overBudget)
        writer.metric(
            "lifetime_tracer_growing", .gauge,
            "Types, events with owner types, or the whole process, that are growing.",
            summary.growing)
        writer.metric(
            "lifetime_tracer_growing_per_minute", .gauge,
            "Instances or tokens that each minute leaves behind, for each subject that is growing. The label known is "
                + "true for a known leak.",
            labels: ["subject", "type", "event", "known"], growthSamples)
        writer.metric(
            "lifetime_tracer_invariants_broken", .gauge, "Broken invariants.", summary.brokenInvariants)
    }

    private var growthSamples: [MetricSample] {
        context.registry.growth().map { growth in
            let labels = [
                WireGrowth.Kind(growth.subject).rawValue, growth.subject.type?.qualified ?? Self.noType,
                growth.subject.event ?? "", context.known(growth.fingerprint) == nil ? "false" : "true",
            ]
            return MetricSample(labels, growth.perMinute)
        }
    }
}
