/// The output of a run: facts about the machine, figures, and gaps.
///
/// The output is a text of lines. `# name: text` is a fact, and `! workload: reason` states why a workload has no
/// figure. All other lines are figures.
public struct Results: Sendable {
    /// The names and texts of the facts, in the order of the output.
    public private(set) var facts: [(name: String, text: String)] = []
    /// The figures, in the order of the output.
    public private(set) var figures: [Figure] = []
    /// The workloads without figures, and the reasons.
    public private(set) var gaps: [(workload: String, reason: String)] = []

    /// A line that is neither a fact, nor a gap, nor a figure.
    public struct UnreadableLine: Error, CustomStringConvertible {
        /// The line's number, from 1.
        public let number: Int
        /// The line.
        public let line: String

        /// The line and its error.
        public var description: String {
            "line \(number) is neither a figure of 8 fields between tabs nor '# name: text' nor '! workload: reason': "
                + "'\(line)'"
        }
    }

    /// Reads the lines of one or several runs.
    public init(text: String) throws(UnreadableLine) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty { continue }
            if let (name, text) = Self.remark(line, mark: "#") {
                facts.append((name, text))
            } else if let (workload, reason) = Self.remark(line, mark: "!") {
                gaps.append((workload, reason))
            } else if let figure = Figure(line: line) {
                figures.append(figure)
            } else {
                throw UnreadableLine(number: index + 1, line: String(line))
            }
        }
    }

    private static func remark(_ line: Substring, mark: Character) -> (String, String)? {
        guard line.first == mark else { return nil }
        let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return (String(parts[0].trimmed), String(parts[1].trimmed))
    }

    /// The figure with these names, if it was measured.
    public func figure(_ workload: String, _ contender: String, base: String?) -> Figure? {
        figures.last { $0.workload == workload && $0.contender == contender && $0.base == base }
    }

    /// The workloads with figures or a gap: known workloads in the order of ``Workload/all``, followed by the others.
    var workloads: [Workload] {
        let seen = figures.map(\.workload) + gaps.map(\.workload)
        var left: [String] = []
        for id in seen where !left.contains(id) { left.append(id) }
        let known = Workload.all.filter { left.contains($0.id) }
        return known + left.filter { id in !known.contains { $0.id == id } }.map { Workload(id: $0, title: $0) }
    }

    /// The contenders with figures in a workload, in the order of the output.
    func contenders(in workload: String) -> [String] {
        var names: [String] = []
        for figure in figures where figure.workload == workload && !names.contains(figure.contender) {
            names.append(figure.contender)
        }
        return names
    }
}

extension StringProtocol {
    var trimmed: SubSequence {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
