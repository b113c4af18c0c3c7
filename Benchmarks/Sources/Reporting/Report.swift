/// Results as tables for people: a table for each workload, with a row for each contender.
public struct Report {
    /// The format of the tables.
    public enum Style: Sendable {
        /// Columns aligned with spaces, for a terminal.
        case text
        /// Markdown tables, for a page.
        case markdown
    }

    private let results: Results
    private let thresholds: Thresholds?

    /// Creates a report.
    ///
    /// With thresholds, each row contains its limit.
    public init(_ results: Results, thresholds: Thresholds? = nil) {
        self.results = results
        self.thresholds = thresholds
    }

    /// The facts and the tables.
    public func render(as style: Style) -> String {
        var lines: [String] = []
        for (name, text) in results.facts {
            lines.append(style == .markdown ? "- \(name): \(text)" : "\(name): \(text)")
        }
        for workload in results.workloads {
            lines.append("")
            lines.append(
                style == .markdown ? "**\(workload.title)** (`\(workload.id)`)" : "\(workload.title)  [\(workload.id)]")
            let rows = rows(of: workload.id)
            if rows.count > 1 {
                if style == .markdown { lines.append("") }
                lines += style == .markdown ? Self.markdown(rows) : Self.columns(rows)
            }
            for gap in results.gaps where gap.workload == workload.id { lines.append("  \(gap.reason)") }
        }
        return lines.drop { $0.isEmpty }.joined(separator: "\n") + "\n"
    }

    /// The heading and a row for each contender, without empty columns.
    private func rows(of workload: String) -> [[String]] {
        let figures = results.figures.filter { $0.workload == workload }
        let units = figures.filter { $0.base == nil }.map(\.unit).unique
        let bases = figures.compactMap(\.base).unique
        let shows = figures.contains { thresholds?.limit(of: $0) != nil }
        var heading = ["contender"]
        for unit in units { heading += [unit, "p10–p90"] }
        for (index, base) in bases.enumerated() { heading += index == 0 ? ["× \(base)", "p10–p90"] : ["× \(base)"] }
        if shows { heading.append("limit") }
        let contenders = results.contenders(in: workload)
        let rows = contenders.map { contender in
            let own = figures.filter { $0.contender == contender }
            var row = [contender]
            for unit in units {
                let figure = own.last { $0.base == nil && $0.unit == unit }
                row += [figure?.value.median.asFigure ?? "", figure?.value.ends ?? ""]
            }
            for (index, base) in bases.enumerated() {
                let ratio = own.last { $0.base == base }?.value
                row.append(ratio?.median.asFigure ?? "")
                if index == 0 { row.append(ratio?.ends ?? "") }
            }
            if shows { row.append(limits(of: own)) }
            return row
        }
        return Self.withoutEmptyColumns([heading] + rows)
    }

    private func limits(of figures: [Figure]) -> String {
        figures.compactMap { figure in
            thresholds?.limit(of: figure).map { most in
                let unit = figure.base.map { "× \($0)" } ?? figure.unit
                return "\(most.asFigure) \(unit)" + (figure.value.median <= most ? "" : " MISSED")
            }
        }.joined(separator: ", ")
    }

    private static func withoutEmptyColumns(_ rows: [[String]]) -> [[String]] {
        let kept = rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        return rows.map { row in kept.map { row[$0] } }
    }

    private static func markdown(_ rows: [[String]]) -> [String] {
        let rule = rows[0].indices.map { $0 == 0 ? "---" : "---:" }
        return ([rows[0], rule] + rows.dropFirst()).map { "| \($0.joined(separator: " | ")) |" }
    }

    private static func columns(_ rows: [[String]]) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }
            let line = "  " + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension [String] {
    /// The distinct values, in the order of their first appearance.
    fileprivate var unique: [String] {
        var seen: [String] = []
        for value in self where !seen.contains(value) { seen.append(value) }
        return seen
    }
}
