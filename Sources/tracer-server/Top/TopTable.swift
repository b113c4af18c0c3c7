import TracerBase

/// A table of types, as lines.
struct TopTable: Sendable {
    /// A line with its style.
    struct Line: Sendable, Equatable {
        enum Style: Sendable {
            case plain, heading, overdue, growing
        }

        let text: String
        var style = Style.plain
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
        func line(_ cells: [String], _ type: String) -> String {
            zip(cells, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
                + "  \(type.printable)"
        }
        let rows = zip(look.rows, cells).map { row, cells in
            Line(
                text: line(cells, row.type),
                style: row.overdue > 0 ? .overdue : row.isGrowing ? .growing : .plain)
        }
        let more = look.total - look.rows.count
        lines =
            [Line(text: head.printable), Line(text: ""), Line(text: line(Self.headings, "TYPE"), style: .heading)]
            + rows + (more > 0 ? [Line(text: "and \(more.counted("more type"))")] : [])
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
