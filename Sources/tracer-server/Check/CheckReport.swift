/// The comparison of a server's data with the limits.
struct CheckReport: Sendable {
    let process: WireSummary.Process
    let live: Int
    /// One finding for each limit.
    let findings: [CheckFinding]

    /// Whether all counts are within their limits and none is unknown.
    var isWithin: Bool { findings.allSatisfy { $0.state == .within } }
    /// Whether a count exceeds its limit.
    var isOver: Bool { findings.contains { $0.state == .over } }
    /// The types in limits that have never been seen.
    var unknownTypes: [String] { findings.filter { $0.state == .unknown }.compactMap(\.type) }

    init(_ look: CheckLook, _ options: CheckOptions) {
        process = look.summary.process
        live = look.live
        findings =
            CheckFinding.Kind.allCases.compactMap { kind in
                options.limits[kind].map { Self.finding(of: kind, limit: $0, look, options.address) }
            } + options.maxLive.map { Self.finding(on: $0, look.types) }
    }

    private static func finding(
        of kind: CheckFinding.Kind, limit: Int, _ look: CheckLook, _ address: ServerAddress
    ) -> CheckFinding {
        switch kind {
        case .overdue:
            return CheckFinding(
                kind: kind, count: look.overdue - look.known, limit: limit, known: look.known,
                details: OverdueDetails.details(of: look.overdueGroups),
                advice: OverdueDetails.advice(on: look.overdueGroups, at: address))
        case .orphaned:
            return CheckFinding(
                kind: kind, count: look.orphaned, limit: limit, details: orphanDetails(look.orphanedTokens))
        case .overBudget:
            let details = budgetDetails(look)
            return CheckFinding(kind: kind, count: details.count, limit: limit, details: details)
        case .brokenInvariants:
            let details = look.brokenInvariants.map {
                CheckFinding.Detail(count: 1, subject: $0.type, text: $0.message)
            }
            return CheckFinding(kind: kind, count: details.count, limit: limit, details: details)
        case .crowded:
            let details = look.crowds.map(crowdDetail)
            return CheckFinding(kind: kind, count: details.count, limit: limit, details: details)
        case .growing:
            return GrowthDetails.finding(look, limit: limit)
        case .late:
            return CheckFinding(kind: kind, count: look.summary.verdicts.late, limit: limit)
        case .live:
            preconditionFailure("a limit of live instances has no type")
        }
    }

    private static func orphanDetails(_ tokens: [WireToken]) -> [CheckFinding.Detail] {
        var counts: [WireToken: Int] = [:]
        for token in tokens { counts[token, default: 0] += 1 }
        return counts.map { token, count in
            let owner = token.ownerType.map { " (owner type \($0))" } ?? ""
            return CheckFinding.Detail(
                count: count, subject: token.event,
                text: "\(count) for \(token.kind) \(token.event)\(owner): owner deallocated")
        }
        .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
    }

    private static func budgetDetails(_ look: CheckLook) -> [CheckFinding.Detail] {
        let groups = look.groups.filter(\.overBudget).map { group in
            CheckFinding.Detail(
                count: group.live, subject: group.name,
                text: "\(group.live) live in group \(group.name), budget \(group.budget ?? 0)")
        }
        let types = look.types.filter(\.overBudget).map { type in
            CheckFinding.Detail(
                count: type.live, subject: type.type, text: "\(type.live) live \(type.type), budget \(type.budget ?? 0)"
            )
        }
        return groups + types.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
    }

    private static func crowdDetail(_ crowd: CheckLook.Crowd) -> CheckFinding.Detail {
        let owner = crowd.ownerType.map { " (owner type \($0))" } ?? ""
        return CheckFinding.Detail(
            count: crowd.inForce, subject: crowd.event,
            text: "\(crowd.inForce) tokens in force for \(crowd.event)\(owner): above the threshold")
    }

    private static func finding(on limit: CheckOptions.TypeLimit, _ types: [WireType]) -> CheckFinding {
        // A full name is exact. A name without a module may match types of several modules, whose counts are added.
        let exact = types.filter { $0.type == limit.type }
        let matches = exact.isEmpty ? types.filter { $0.name == limit.type } : exact
        return CheckFinding(
            kind: .live, type: limit.type, count: matches.isEmpty ? nil : matches.reduce(0) { $0 + $1.live },
            limit: limit.limit,
            details: matches.map {
                CheckFinding.Detail(count: $0.live, subject: $0.type, text: "\($0.live) \($0.type)")
            })
    }
}
