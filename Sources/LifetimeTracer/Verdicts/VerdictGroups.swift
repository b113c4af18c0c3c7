/// Groups verdicts of the same kind, type and reason into lines of text.
///
/// Each group gets one line at first. Later verdicts on instances or tokens of the group get another line when their
/// number has grown tenfold; all other later verdicts get their line.
struct VerdictGroups: LockedState {
    /// The most groups that are remembered; if there are more, the groups without new verdicts are forgotten and may
    /// get their first line again.
    static let limit = 1000

    private struct Key: Hashable, Sendable {
        let kind: Verdict.Kind
        let fingerprint: Fingerprint
    }

    private struct Group: Sendable {
        /// The first verdict since the last line.
        var first: Verdict
        /// The number of verdicts since the start.
        var total = 0
        /// The number of verdicts at the last line.
        var told = 0
        /// The number of verdicts since the last call of ``takeLines()``.
        var new = 0
    }

    private var groups: [Key: Group] = [:]
    /// The groups with new verdicts, in order.
    private var order: [Key] = []

    /// Adds a verdict.
    mutating func add(_ verdict: Verdict) {
        let key = Key(kind: verdict.kind, fingerprint: verdict.fingerprint)
        if groups[key] == nil, groups.count >= Self.limit { groups = groups.filter { $0.value.new > 0 } }
        var group = groups[key] ?? Group(first: verdict)
        if group.new == 0 {
            group.first = verdict
            order.append(key)
        }
        group.total += 1
        group.new += 1
        groups[key] = group
    }

    /// Returns a line for each group that has something new to tell.
    mutating func takeLines() -> [String] {
        let lines = order.compactMap { key -> String? in
            guard var group = groups[key] else { return nil }
            defer { groups[key] = group }
            let new = group.new
            group.new = 0
            guard group.told > 0, group.first.instance != nil else {
                group.told = group.total
                return group.first.line(andMore: new - 1)
            }
            guard group.total >= 10 * group.told else { return nil }
            group.told = group.total
            return group.first.line(soFar: group.total)
        }
        order = []
        return lines
    }
}

extension Verdict {
    /// The first line of a group.
    fileprivate func line(andMore more: Int) -> String {
        let label = label.map { " \"\($0)\"" } ?? ""
        let instance = instance.map { " [#\($0)\(label)]" } ?? ""
        // A growing subject has many sites, of which the verdict names the most frequent one.
        let mostly = kind == .growing ? "mostly " : ""
        let place = site.map { ", \(mostly)\(event == nil ? "created" : "registered") at \($0)" } ?? ""
        return "\(kind.rawValue): \(message)\(instance)\(place)" + (more > 0 ? ", and \(more) more" : "")
    }

    fileprivate func line(soFar total: Int) -> String {
        "\(kind.rawValue): \(message), \(total) so far"
    }
}
