import TracerBase

/// The wording of each verdict.
extension Verdict {
    static func overdue(_ entry: DeadlineTable.Entry, label: String?, at time: MonotonicTime) -> Self {
        Self(
            .overdue, at: time, type: entry.type, instance: entry.instance, label: label,
            site: entry.creationSite, reason: entry.cause.reason, message: entry.cause.message(for: entry.type))
    }

    static func late(_ entry: DeadlineTable.Entry, label: String?, goneAt time: MonotonicTime) -> Self {
        Self(
            .late, at: time, type: entry.type, instance: entry.instance, label: label,
            site: entry.creationSite, reason: entry.cause.reason,
            message: "\(entry.type.name) deallocated \((time - entry.due).inWords) late: \(entry.cause.reason)")
    }

    static func overBudget(_ type: TypeName, live: Int, budget: Int, at time: MonotonicTime) -> Self {
        Self(
            .overBudget, at: time, type: type, reason: "budget of \(budget)",
            message: "\(live.grouped) live instances of \(type.name), \(budget.grouped) budgeted")
    }

    static func overBudget(group: String, live: Int, budget: Int, at time: MonotonicTime) -> Self {
        Self(
            .overBudget, at: time, type: nil, reason: "budget of \(budget) for group \(group)",
            message: "\(live.grouped) live instances in group \(group), \(budget.grouped) budgeted")
    }

    static func orphanedToken(_ entry: TokenTable.Entry, at time: MonotonicTime) -> Self {
        let owner = entry.group.ownerType?.name ?? "owner"
        return Self(
            .orphanedToken, at: time, type: entry.group.ownerType, instance: entry.owner, event: entry.group.event,
            site: entry.site.ifKnown, reason: "its owner has gone",
            message: "\(entry.group.kind) token for \(entry.group.event) still in force though its \(owner) has gone")
    }

    static func brokenInvariant(
        _ each: TypeTable.Entry, _ count: Int, _ of: TypeTable.Entry, reason: String, at time: MonotonicTime
    ) -> Self {
        Self(
            .brokenInvariant, at: time, type: of.name, reason: reason,
            message: invariantMessage(of.name, of.live, each.name, each.live, count: count, reason: reason))
    }

    static func invariantMessage(
        _ type: TypeName, _ live: Int, _ each: TypeName, _ eachLive: Int, count: Int, reason: String
    ) -> String {
        "\(eachLive.grouped) live \(each.name) and \(live.grouped) live \(type.name), "
            + "expected \(count.grouped) for each \(each.name): \(reason)"
    }

    static func crowded(_ crowd: CrowdTable.Passed, at time: MonotonicTime) -> Self {
        let owner = crowd.key.ownerType.map { " for \($0.name)" } ?? ""
        return Self(
            .crowded, at: time, type: crowd.key.ownerType, event: crowd.key.event,
            reason: "more tokens in force than the threshold",
            message: "\(crowd.inForce.grouped) tokens for \(crowd.key.event) in force\(owner)")
    }
}
