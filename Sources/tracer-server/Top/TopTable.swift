import TracerBase

/// A table of types, as lines.
struct TopTable: Sendable {
    /// A line with its style.
    struct Line: Sendable, Equatable {
        enum Style: Sendable {
            case plain, heading, overdue, growing
        }

        /// The line without the name of a type.
        private let start: String
        /// The name of a type at the end of the line; empty if the line has none.
        private let type: String
        let style: Style

        init(_ start: String, type: String = "", style: Style = .plain) {
            self.start = start
            self.type = type
            self.style = style
        }

        var text: String { start + type }

        /// Returns the line in at most a number of terminal columns.
        ///
        /// A type's name keeps its end, because names of one module have the same start.
        func fitting(columns: Int) -> String {
            let room = columns - start.columns
            guard room > 1, type.columns > room else { return text.fitting(columns: columns) }
            let end = String(type.reversed()).fitting(columns: room - 1)
            return start + "…" + String(end.reversed())
        }
    }

    let lines: [Line]

    private static let headings = ["LIVE", "+/MIN", "BORN", "DIED", "PEAK", "OVERDUE", "BYTES"]

    /// The number of lines besides the types.
    static let frameHeight = 4

    init(_ look: TopLook) {
        let summary = look.summary
        let process = summary.process
        let head =
            "\(process.name) (pid \(process.pid)) on \(process.host): \(summary.instances.live) live of "
            + "\(summary.types.counted("type")), \(summary.verdicts.overdue) overdue"
        let cells = look.rows.map(Self.cells)
        let widths = Self.headings.indices.map { column in
            ([Self.headings[column]] + cells.map { $0[column] }).map(\.count).max() ?? 0
        }
        func line(_ cells: [String], _ type: String, _ style: Line.Style) -> Line {
            let cells = zip(cells, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 + "  " }
            return Line(cells.joined(), type: type.printable, style: style)
        }
        let rows = zip(look.rows, cells).map { row, cells in
            line(cells, row.type, row.overdue > 0 ? .overdue : row.isGrowing ? .growing : .plain)
        }
        let more = look.total - look.rows.count
        lines =
            [Line(head.printable), Line(""), line(Self.headings, "TYPE", .heading)]
            + rows + (more > 0 ? [Line("and \(more.counted("more type"))")] : [])
    }

    private static func cells(_ row: TopRow) -> [String] {
        [
            String(row.live), row.growth.map(signed) ?? "-", String(row.born), String(row.died), String(row.peak),
            String(row.overdue), row.bytes.map(String.init) ?? "-",
        ]
    }

    /// Returns the growth as text: with a plus sign if positive, and with one decimal if small and not whole.
    private static func signed(_ growth: Double) -> String {
        let tenths = (growth * 10).rounded()
        let text =
            abs(tenths) >= 100 || tenths.remainder(dividingBy: 10) == 0
            ? String(Int((tenths / 10).rounded())) : String(tenths / 10)
        return tenths > 0 ? "+\(text)" : text
    }
}
