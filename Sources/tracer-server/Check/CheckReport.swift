/// What a look at a server says about the limits.
struct CheckReport: Sendable {
    /// Whether everything is within its limit, and nothing unknown.
    var isWithin: Bool { !isOver && unknownTypes.isEmpty }
    /// Whether something is over its limit.
    let isOver: Bool
    /// What was asked for as a type, and has never been seen.
    let unknownTypes: [String]
    /// What to print.
    let lines: [String]

    /// The most details that are printed of one limit.
    private static let detailLimit = 20
    /// The most instances that are named in one line.
    private static let namedLimit = 5

    init(_ look: CheckedServer.Look, _ options: CheckOptions) {
        var findings = [
            Finding(
                what: "overdue", count: look.overdue - look.known, limit: options.maxOverdue,
                note: Self.knownNote(look.known),
                details: Self.overdueDetails(look.overdueGroups),
                advice: Self.question(on: look.overdueGroups, of: options.target)),
            Finding(
                what: look.orphaned == 1 ? "orphaned token" : "orphaned tokens", count: look.orphaned,
                limit: options.maxOrphaned, details: Self.orphanDetails(look.orphanedTokens)),
        ]
        var unknownTypes: [String] = []
        for limit in options.maxLive {
            if let finding = Self.finding(on: limit, look.types) {
                findings.append(finding)
            } else {
                unknownTypes.append(limit.type)
            }
        }
        isOver = findings.contains { $0.isOver }
        self.unknownTypes = unknownTypes
        let process = look.summary.process
        let head = "\(process.name) (pid \(process.pid)): \(look.live) live"
        lines =
            [head] + findings.flatMap { $0.lines(detailLimit: Self.detailLimit) }
            + unknownTypes.map { "unknown: live \($0), no such type has been seen" }
    }

    /// One limit and what was found.
    private struct Finding {
        let what: String
        let count: Int
        let limit: Int
        /// What else is to be said in the same line; empty for nothing.
        var note = ""
        /// Lines that belong together.
        let details: [[String]]
        /// What to do next, if anything.
        var advice: String?

        var isOver: Bool { count > limit }

        func lines(detailLimit: Int) -> [String] {
            let head = "\(isOver ? "over:   " : "within: ")\(count) \(what), at most \(limit)\(note)"
            guard isOver else { return [head] }
            let more = details.count - detailLimit
            return [head] + details.prefix(detailLimit).joined().map { "  \($0)" }
                + (more > 0 ? ["  and \(more) more"] : []) + (advice.map { ["  \($0)"] } ?? [])
        }
    }

    private static func knownNote(_ count: Int) -> String {
        switch count {
        case 0: ""
        case 1: " (1 known leak more)"
        default: " (\(count) known leaks more)"
        }
    }

    private static func overdueDetails(_ groups: [WireOverdueGroup]) -> [[String]] {
        groups.filter { $0.overdue > 0 && $0.known == nil }.map { group in
            let overdue = group.instances.filter { $0.state == "overdue" }
            let victims = Set(overdue.filter { $0.role == "victim" }.map(\.type))
            let held = victims.isEmpty ? "" : ", which holds \(victims.sorted().joined(separator: ", "))"
            let line = "\(group.overdue) for \(group.type)\(held): \(group.reason)\(names(of: overdue))"
            return [line] + [group.retainPath?.hint ?? group.retainPath?.signature].compactMap { $0.map { "  \($0)" } }
        }
    }

    /// The numbers by which instances can be asked for.
    private static func names(of instances: [WireOverdueGroup.Instance]) -> String {
        guard !instances.isEmpty else { return "" }
        let first = instances.prefix(namedLimit).map { "#\($0.id)" }.joined(separator: ", ")
        return instances.count > namedLimit ? " (\(first), …)" : " (\(first))"
    }

    private static func question(on groups: [WireOverdueGroup], of target: CheckTarget) -> String? {
        let open = groups.filter { $0.known == nil && $0.retainPath == nil }
        let first = open.flatMap(\.instances).first { $0.state == "overdue" && $0.retainStatus == nil }
        return first.map { "who holds it: \(WhyCommand.syntax.call) \(target.description) \($0.id)" }
    }

    private static func orphanDetails(_ tokens: [WireToken]) -> [[String]] {
        var counts: [String: Int] = [:]
        for token in tokens {
            let owner = token.ownerType.map { " of \($0)" } ?? ""
            counts["\(token.kind) \(token.event)\(owner), which has gone", default: 0] += 1
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ["\($0.value) for \($0.key)"] }
    }

    /// `nil` for a type that has never been seen: that may be a typing mistake, and must not pass for "none live".
    private static func finding(on limit: CheckOptions.TypeLimit, _ types: [WireType]) -> Finding? {
        // A full name is exact; the name alone may be that of types of several modules, which count together.
        let exact = types.filter { $0.type == limit.type }
        let matches = exact.isEmpty ? types.filter { $0.name == limit.type } : exact
        guard !matches.isEmpty else { return nil }
        return Finding(
            what: "live \(limit.type)", count: matches.reduce(0) { $0 + $1.live }, limit: limit.limit,
            details: matches.map { ["\($0.live) \($0.type)"] })
    }
}
