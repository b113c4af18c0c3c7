import LifetimeTracerDashboard

/// Who holds the instances of a type: equal paths together.
struct TypeAnswer: Sendable {
    /// The instances that are held in the same way.
    struct Group: Sendable {
        /// The answer on the first one.
        let answer: WhyAnswer
        fileprivate let key: String
        fileprivate(set) var instances: [Int] = []
        fileprivate(set) var overdue = 0
    }

    /// The full name.
    let type: String
    let live: Int
    let overdue: Int
    let overdueIDs: Set<Int>
    /// The instances that were searched for.
    let asked: [Int]
    /// Those of them that died meanwhile.
    private(set) var missing = 0
    private var found: [Group] = []

    init(type: String, live: Int, overdue: Int, overdueIDs: Set<Int>, asked: [Int]) {
        self.type = type
        self.live = live
        self.overdue = overdue
        self.overdueIDs = overdueIDs
        self.asked = asked
    }

    /// Those with most instances first; of equally many, those with more overdue ones.
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

    /// The same for instances that are held in the same way: where there is no path, those with the same text but for the id.
    private static func key(of answer: WhyAnswer, on id: Int) -> String {
        answer.wire.fingerprint ?? answer.wire.text.replacing("#\(id) ", with: "# ")
    }

    mutating func addMissing() {
        missing += 1
    }

    /// The answer for people.
    var lines: [String] {
        var lines = ["\(type): \(live) live, \(overdue) overdue\(sampleNote)".harmless]
        for group in groups {
            let overdue = group.overdue > 0 ? ", \(group.overdue) of them overdue" : ""
            lines += ["", "\(group.instances.count) of \(asked.count) instances\(overdue): \(names(of: group))"]
            lines += group.answer.lines.map { "  \($0)" }
        }
        if missing > 0 { lines += ["", "\(missing) of \(asked.count) instances died before the search ended."] }
        return lines
    }

    private var sampleNote: String {
        guard asked.count < live else { return "" }
        return "; searched for \(asked.count), overdue ones first, then the oldest (--sample)"
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
                    // The server's own JSON, which was decoded before.
                    writer.raw(group.answer.json.utf8)
                }
            }
        }
    }
}
