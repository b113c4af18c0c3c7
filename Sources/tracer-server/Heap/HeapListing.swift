import TracerBase

/// A capture or a comparison as a table.
struct HeapListing: Sendable {
    let lines: [String]

    /// Lists the lines of a capture.
    init(_ page: WireHeapLines, _ process: WireSummary.Process) {
        let rows = page.types.map {
            [$0.bytes.grouped, $0.retained?.grouped ?? "-", $0.count.grouped, $0.kind, $0.name]
        }
        lines =
            Self.head(page.heap, process) + [""]
            + Self.table(["BYTES", "RETAINED", "COUNT", "KIND", "TYPE"], rows, numbers: 3)
            + (rows.isEmpty ? ["no line of the table matches"] : Self.more(page.total - page.types.count))
    }

    /// Lists what keeps the memory of a capture, as a tree.
    init(_ tree: WireHeapGroups, _ process: WireSummary.Process) {
        var below: [Int?: [WireHeapGroups.Group]] = [:]
        for group in tree.groups { below[group.level == 1 ? nil : group.parent, default: []].append(group) }
        var rows: [[String]] = []
        func add(_ parent: Int?) {
            for group in below[parent] ?? [] {
                let times = group.root || group.count == 1 ? "" : "\(group.count.grouped) × "
                let indent = String(repeating: "  ", count: group.level - 1)
                let share = tree.bytes > 0 ? Double(group.retained) / Double(tree.bytes) * 100 : 0
                rows.append([group.retained.grouped, "\(Int(share.rounded()))%", "\(indent)\(times)\(group.name)"])
                add(group.id)
            }
        }
        add(nil)
        let reasons = tree.obstacle.map { ["there are no retained sizes: \($0)".printable] } ?? []
        lines =
            Self.head(tree.heap, process) + [""] + reasons
            + (reasons.isEmpty ? Self.table(["RETAINED", "SHARE", "KEPT BY"], rows, numbers: 2) : [])
            + Self.more(tree.total - tree.groups.count, "group")
    }

    /// Lists the changes between two captures.
    init(_ page: WireHeapDiff, _ process: WireSummary.Process) {
        let rows = page.types.map {
            [
                Self.signed($0.bytesChange), Self.signed($0.countChange), $0.bytesAfter.grouped,
                $0.retainedAfter?.grouped ?? "-", $0.countAfter.grouped, $0.kind, $0.name,
            ]
        }
        let change = "since capture \(page.from.id): \(Self.signed(page.to.bytes - page.from.bytes)) bytes, "
        lines =
            Self.head(page.to, process) + [change + "\(Self.signed(page.to.count - page.from.count)) blocks", ""]
            + Self.table(["+BYTES", "+COUNT", "BYTES", "RETAINED", "COUNT", "KIND", "TYPE"], rows, numbers: 5)
            + Self.more(page.total - page.types.count)
    }

    /// The program, the capture and its cost.
    static func place(_ heap: WireHeap, _ process: WireSummary.Process) -> String {
        let cost =
            "paused \(heap.cost.pauseMilliseconds) ms, took \(Int(heap.cost.totalMilliseconds.rounded())) ms"
        let place = "\(process.name) (pid \(process.pid)) on \(process.host)"
        let size = "\(heap.bytes.grouped) bytes in \(heap.count.grouped) blocks"
        return "\(place): capture \(heap.id), \(size); \(cost)".printable
    }

    private static func head(_ heap: WireHeap, _ process: WireSummary.Process) -> [String] {
        var head = [place(heap, process)]
        if let leftOut = heap.leftOut {
            head.append(
                "\(leftOut.count.grouped) blocks with \(leftOut.bytes.grouped) bytes are left out, "
                    + "because the memory limit is too low")
        }
        return head
    }

    /// The rows below the headings; the first columns hold numbers.
    private static func table(_ headings: [String], _ rows: [[String]], numbers: Int) -> [String] {
        let widths = headings.indices.map { column in ([headings] + rows).map { $0[column].count }.max() ?? 0 }
        return ([headings] + rows).map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                if column < numbers { return space + row[column] }
                return column == row.count - 1 ? row[column] : row[column] + space
            }
            return cells.joined(separator: "  ").printable
        }
    }

    private static func more(_ count: Int, _ what: String = "line") -> [String] {
        count > 0 ? ["and \(count.grouped) more \(what)\(count == 1 ? "" : "s")"] : []
    }

    private static func signed(_ number: Int) -> String {
        number > 0 ? "+\(number.grouped)" : number.grouped
    }
}
