import TracerBase

/// The retain paths of a type's instances, grouped by equal paths.
struct TypeAnswer: Sendable {
    /// Instances with the same retain path.
    struct Group: Sendable {
        /// The answer for the first instance.
        let answer: WhyAnswer
        fileprivate let key: String
        fileprivate(set) var instances: [Int] = []
        fileprivate(set) var overdue = 0
    }

    /// The full name of the type.
    let type: String
    let live: Int
    let overdue: Int
    let overdueIDs: Set<Int>
    /// The instances that the search covered.
    let asked: [Int]
    /// The number of those instances that died before the search ended.
    private(set) var missing = 0
    private var found: [Group] = []

    init(type: String, live: Int, overdue: Int, overdueIDs: Set<Int>, asked: [Int]) {
        self.type = type
        self.live = live
        self.overdue = overdue
        self.overdueIDs = overdueIDs
        self.asked = asked
    }

    /// The groups, most instances first; with equally many instances, most overdue instances first.
    var groups: [Group] {
        found.enumerated().sorted { left, right in
            (right.element.instances.count, right.element.overdue, left.offset)
                < (left.element.instances.count, left.element.overdue, right.offset)
        }.map(\.element)
    }

    mutating func add(_ answer: WhyAnswer, of id: Int) {
        guard answer.wire.status != "gone" else { return addMissing() }
        let key = Self.key(of: answer, on: id)
        let position = found.firstIndex { $0.key == key } ?? found.endIndex
        if position == found.endIndex { found.append(Group(answer: answer, key: key)) }
        found[position].instances.append(id)
        if overdueIDs.contains(id) { found[position].overdue += 1 }
    }

    /// Returns the group key: the fingerprint of the path, with the closures, tasks and blocks on the path.
    ///
    /// A fingerprint does not tell the closures of a function apart. Without a fingerprint, the key is the answer's
    /// text without the id.
    private static func key(of answer: WhyAnswer, on id: Int) -> String {
        guard let fingerprint = answer.wire.fingerprint else {
            return answer.wire.text.replacing("#\(id) ", with: "# ")
        }
        let mechanisms = (answer.wire.steps ?? []).compactMap { step in
            switch step.kind {
            case "closure": step.name
            case "task", "block": step.kind
            default: nil
            }
        }
        return ([fingerprint] + mechanisms).joined(separator: "\n")
    }

    mutating func addMissing() {
        missing += 1
    }

    /// The answer as lines of text.
    var lines: [String] {
        var lines = ["\(type): \(live) live, \(overdue) overdue\(sampleNote)".printable]
        for group in groups {
            let overdue = group.overdue > 0 ? ", \(group.overdue) of them overdue" : ""
            lines += ["", "\(group.instances.count) of \(asked.count) instances\(overdue): \(names(of: group))"]
            lines += group.answer.lines.filter { !Self.isCost($0) }.map { "  \($0)" }
        }
        // One search covers all instances.
        lines += groups.last?.answer.lines.last.map { Self.isCost($0) ? ["", $0] : [] } ?? []
        if missing > 0 { lines += ["", "\(missing) of \(asked.count) instances died before the search ended."] }
        return lines
    }

    /// Whether a line of an answer states the cost of the search.
    private static func isCost(_ line: String) -> Bool { line.hasPrefix("Searched ") }

    private var sampleNote: String {
        guard asked.count < live else { return "" }
        return "; \(asked.count) searched, overdue instances first, then the oldest (see --sample)"
    }

    private func names(of group: Group) -> String {
        let shown = group.instances.prefix(5).map { "#\($0)" }.joined(separator: ", ")
        return group.instances.count > 5 ? "\(shown), …" : shown
    }
}

extension TypeAnswer: JSONWritable {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("version", 1)
            writer.field("type", type)
            writer.field("live", live)
            writer.field("overdue", overdue)
            writer.field("searched", asked)
            writer.field("died", missing)
            writer.key("groups")
            writer.array(groups) { writer, group in
                writer.object { writer in
                    writer.field("instances", group.instances)
                    writer.field("overdue", group.overdue)
                    writer.key("retainPath")
                    // The server's own JSON, which the decoder has accepted.
                    writer.raw(group.answer.json.utf8)
                }
            }
        }
    }
}
