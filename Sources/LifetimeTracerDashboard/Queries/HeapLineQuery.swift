import RetainPaths

/// A selection and an order of the lines of a census.
struct HeapLineQuery: Sendable {
    private enum Sort: String, CaseIterable {
        case bytes, count, name, retained
    }

    static let parameters = [
        Route.Parameter(
            "sort", .choice(Sort.allCases.map(\.rawValue)),
            "The sort key; default `bytes`. In a comparison, `bytes`, `count` and `retained` are changes."
        ),
        SortOrder.parameter("The default is `asc` for `name`, otherwise `desc`."),
        Route.Parameter("filter", .text, "A part of the name or of the type with its module, ignoring case."),
        Route.Parameter(
            "kind", .choice(HeapGraph.Line.Kind.allCases.map(\.rawValue)), "Only lines of this kind."),
        Route.Parameter("ofProgram", .choice(["0", "1"]), "With 1, only the types and closures of the program."),
    ]

    private let sort: Sort
    private let order: SortOrder
    private let filter: String
    private let kind: HeapGraph.Line.Kind?
    private let isOfProgram: Bool

    init(_ request: RouteRequest) {
        sort = request.text("sort").flatMap(Sort.init) ?? .bytes
        order = SortOrder(request) ?? (sort == .name ? .ascending : .descending)
        filter = request.text("filter")?.lowercased() ?? ""
        kind = request.text("kind").flatMap(HeapGraph.Line.Kind.init)
        isOfProgram = request.text("ofProgram") == "1"
    }

    /// The selected lines of a capture.
    func lines(of graph: HeapGraph) -> [HeapGraph.Line] {
        sorted(graph.lines.filter(matches), by: { ($0.count, $0.bytes, $0.retained ?? 0, $0) })
    }

    /// The selected lines of a comparison.
    func changes(from earlier: HeapGraph, to later: HeapGraph) -> [HeapGraph.Change] {
        let changes = later.changes(since: earlier).filter { matches($0.line) }
        return sorted(changes, by: { ($0.countChange, $0.bytesChange, $0.retainedChange ?? 0, $0.line) })
    }

    private func matches(_ line: HeapGraph.Line) -> Bool {
        (kind == nil || line.kind == kind) && (!isOfProgram || line.isOfProgram)
            && (filter.isEmpty || line.name.lowercased().contains(filter) || line.type.lowercased().contains(filter))
    }

    private func sorted<Entry>(
        _ entries: [Entry], by key: (Entry) -> (count: Int, bytes: Int, retained: Int, line: HeapGraph.Line)
    ) -> [Entry] {
        entries.sorted { left, right in
            let (left, right) = (key(left), key(right))
            let isBefore =
                switch sort {
                case .bytes: order.isBefore(left.bytes, right.bytes)
                case .retained: order.isBefore(left.retained, right.retained)
                case .count: order.isBefore(left.count, right.count)
                case .name: order.isBefore(left.line.name, right.line.name)
                }
            return isBefore
                ?? ((left.line.name, left.line.kind.rawValue, left.line.type)
                    < (right.line.name, right.line.kind.rawValue, right.line.type))
        }
    }
}
