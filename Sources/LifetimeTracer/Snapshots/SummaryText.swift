import TracerBase

/// The state of a registry in a few lines for people: the live instances by type, verdicts and growth.
package struct SummaryText: Sendable {
    /// The most types, verdicts and growing subjects that are named.
    package static let typeLimit = 10, verdictLimit = 5

    /// The lines, without control characters.
    package let lines: [String]

    /// Reads the state of a registry.
    ///
    /// The cost is proportional to the number of types, not of instances. Verdicts are those that the registry has
    /// reached; none are reached for the text.
    ///
    /// - Parameter tracing: Whether the program's classes are traced; `nil` in a program without hooks.
    package init(of registry: LifetimeRegistry, tracing: ClassTracing?) {
        // At one instant, because other threads may still create and destroy objects.
        let (summary, types) = registry.summaryWithTypes()
        var lines = Self.types(types, summary)
        lines += tracing.map(Self.notListed) ?? []
        lines += Self.verdicts(registry.verdicts(), summary)
        lines += Self.growth(registry.growth())
        self.lines = lines.map(\.printable)
    }

    private static func types(_ types: [TypeCount], _ summary: RegistrySummary) -> [String] {
        let live = types.filter { $0.live > 0 }.sorted { ($1.live, $0.type.qualified) < ($0.live, $1.type.qualified) }
        let head =
            "\(summary.live.counted("instance", isGrouped: true)) of "
            + "\(live.count.counted("type", isGrouped: true)) live; "
            + "\(summary.born.grouped) born, \(summary.died.grouped) died, "
            + "at most \(summary.peak.grouped) live at once."
        let top = live.prefix(typeLimit)
        let width = top.first?.live.grouped.utf8.count ?? 0
        let rows = top.map { type in
            let number = type.live.grouped
            let space = String(repeating: " ", count: width - number.utf8.count)
            return "  \(space)\(number) \(type.type.qualified) (\(type.born.grouped) born)"
        }
        let others = live.dropFirst(typeLimit)
        let rest = others.reduce(0) { $0 + $1.live }
        let more =
            "  and \(rest.counted("instance", isGrouped: true)) of "
            + others.count.counted("more type", isGrouped: true)
        return [head] + rows + (others.isEmpty ? [] : [more])
    }

    /// What the list of types does not contain, and why.
    private static func notListed(_ tracing: ClassTracing) -> [String] {
        if let obstacle = tracing.obstacle { return ["The program's classes were not traced: \(obstacle)."] }
        let parts = [
            (tracing.stackInstances, "instance", "on the stack"),
            (tracing.unknownDeaths, "death", "of an instance whose birth was not recorded"),
            (tracing.refusedImages, "shared object", "whose calls could not be replaced"),
        ].filter { $0.0 > 0 }.map { "\($0.0.counted($0.1, isGrouped: true)) \($0.2)" }
        return parts.isEmpty ? [] : ["Not listed: \(parts.joined(separator: "; "))."]
    }

    private static func verdicts(_ verdicts: [Verdict], _ summary: RegistrySummary) -> [String] {
        let counts = [
            (summary.overdue, "overdue"), (summary.late, "late"), (summary.overBudget, "over budget"),
            (summary.tokens.orphaned, "orphaned"), (summary.tokens.crowded, "crowded"),
            (summary.brokenInvariants, "broken invariants"),
        ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        // The last ones, each once; growth follows by itself.
        var known: Set<Fingerprint> = []
        let distinct = verdicts.reversed().filter { $0.kind != .growing && known.insert($0.fingerprint).inserted }
        let details = distinct.prefix(verdictLimit).map { "  \($0.message)" }
        let more = distinct.count - details.count
        return ["Verdicts: \(counts.isEmpty ? "none" : counts.joined(separator: ", "))."] + details
            + (more > 0 ? ["  and \(more) more"] : [])
    }

    private static func growth(_ growth: [GrowthRecord]) -> [String] {
        guard !growth.isEmpty else { return ["Growing: nothing."] }
        let more = growth.count - verdictLimit
        return ["Growing: \(growth.count.grouped)."] + growth.prefix(verdictLimit).map { "  \($0.message)" }
            + (more > 0 ? ["  and \(more) more"] : [])
    }
}
