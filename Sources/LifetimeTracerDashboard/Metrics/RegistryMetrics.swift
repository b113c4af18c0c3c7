import LifetimeTracer

/// The numbers of a registry as metrics.
///
/// Costs time in proportion to the types, not to the instances.
struct RegistryMetrics: Sendable {
    /// The types that get samples of their own; the others are summed up.
    static let typeLimit = 1000
    /// The label of that sum.
    static let otherTypes = "other"

    private let summary: RegistrySummary
    private let types: [TypeCount]
    private let context: DashboardContext

    init(_ context: DashboardContext) {
        self.context = context
        summary = context.registry.summary(topTypes: 0)
        types = context.registry.typeCounts().sorted {
            ($1.live, $1.born, $0.type.qualified) < ($0.live, $0.born, $1.type.qualified)
        }
    }

    /// The whole text.
    func text(_ format: MetricsFormat) -> String {
        var writer = MetricsWriter(format)
        writer.metric(
            "build_info", .gauge, "Always 1; the label tells the version of the tracer.", label: "version",
            [(context.process.libraryVersion, 1)])
        writeInstances(to: &writer)
        writeTokens(to: &writer)
        writeVerdicts(to: &writer)
        let drops = context.drops(summary)
        writer.metric(
            "buffer_limit", .gauge, "What a bounded buffer holds at most.", label: "buffer",
            drops.map { ($0.buffer, $0.limit) })
        writer.metric(
            "dropped", .counter, "What a bounded buffer could not take.", label: "buffer",
            drops.map { ($0.buffer, $0.dropped) })
        writer.metric("registry_bytes", .gauge, "An estimate of the memory of the registry.", summary.registryBytes)
        writer.finish()
        return writer.text
    }

    private func writeInstances(to writer: inout MetricsWriter) {
        writer.metric("types", .gauge, "Types that have been seen.", summary.types)
        writer.metric(
            "instances_live", .gauge, "Live instances. Types past the first \(Self.typeLimit) are summed up as other.",
            label: "type", byType(\.live))
        writer.metric(
            "instances_peak", .gauge,
            "The most instances that were live at a time. For other types, the sum of their peaks.", label: "type",
            byType(\.peak))
        writer.metric("instances_born", .counter, "Births so far.", label: "type", byType(\.born))
        writer.metric("instances_died", .counter, "Deaths so far.", label: "type", byType(\.died))
    }

    private func writeTokens(to writer: inout MetricsWriter) {
        let tokens = summary.tokens
        writer.metric(
            "tokens_in_force", .gauge, "Observer tokens in force.", label: "kind",
            tokens.byKind.map { ($0.kind.rawValue, $0.inForce) })
        writer.metric(
            "tokens_registered", .counter, "Registrations so far.", label: "kind",
            tokens.byKind.map { ($0.kind.rawValue, $0.registered) })
        writer.metric(
            "tokens_removed", .counter, "Removals so far.", label: "kind",
            tokens.byKind.map { ($0.kind.rawValue, $0.removed) })
        writer.metric("tokens_refused", .counter, "Registrations that were refused.", tokens.refused)
        writer.metric("token_deliveries", .counter, "Deliveries to observers.", tokens.deliveries)
    }

    private func writeVerdicts(to writer: inout MetricsWriter) {
        writer.metric("instances_overdue", .gauge, "Instances that should be gone and are live.", summary.overdue)
        writer.metric("instances_late", .counter, "Instances that went after their deadline.", summary.late)
        writer.metric("budgets_exceeded", .gauge, "Types and groups over their budgets.", summary.overBudget)
        writer.metric(
            "tokens_orphaned", .gauge, "Tokens in force though their owner has gone.", summary.tokens.orphaned)
        writer.metric("invariants_broken", .gauge, "Invariants that are broken.", summary.brokenInvariants)
        writer.metric(
            "tokens_crowded", .gauge, "Events and owner types with more tokens than their threshold.",
            summary.tokens.crowded)
    }

    private func byType(_ value: KeyPath<TypeCount, UInt64>) -> [(String, UInt64)] {
        let own = types.prefix(Self.typeLimit).map { ($0.type.qualified, $0[keyPath: value]) }
        let rest = types.dropFirst(Self.typeLimit)
        return rest.isEmpty ? own : own + [(Self.otherTypes, rest.reduce(0) { $0 + $1[keyPath: value] })]
    }
}
