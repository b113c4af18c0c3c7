import RetainPaths

extension HeapGraph.Line.Kind: JSONChoice {}

/// The wire type of a line of a census.
struct WireHeapLine: JSONObject {
    private let line: HeapGraph.Line
    private let hasPaths: Bool

    init(_ line: HeapGraph.Line, of graph: HeapGraph) {
        self.line = line
        hasPaths = graph.hasPaths(line)
    }

    static let fields = Field.list {
        Field("kind") { $0.line.kind }
        Field("name") { $0.line.name }
        Field("type") { $0.line.type.isEmpty ? nil : $0.line.type }
        Field("ofProgram") { $0.line.isOfProgram }
        Field("count") { $0.line.count }
        Field("bytes") { $0.line.bytes }
        Field("retained") { $0.line.retained }
        Field("paths") { $0.hasPaths }
    }
}

/// The wire type of a line of two censuses.
struct WireHeapChange: JSONObject {
    private let change: HeapGraph.Change
    private let hasPaths: Bool

    /// - Parameter later: The later capture.
    init(_ change: HeapGraph.Change, in later: HeapGraph) {
        self.change = change
        hasPaths = change.after.count > 0 && later.hasPaths(change.line)
    }

    static let fields = Field.list {
        Field("kind") { $0.change.line.kind }
        Field("name") { $0.change.line.name }
        Field("type") { $0.change.line.type.isEmpty ? nil : $0.change.line.type }
        Field("ofProgram") { $0.change.line.isOfProgram }
        Field("countBefore") { $0.change.before.count }
        Field("countAfter") { $0.change.after.count }
        Field("countChange") { Int64($0.change.countChange) }
        Field("bytesBefore") { $0.change.before.bytes }
        Field("bytesAfter") { $0.change.after.bytes }
        Field("bytesChange") { Int64($0.change.bytesChange) }
        Field("retainedBefore") { $0.change.before.retained }
        Field("retainedAfter") { $0.change.after.retained }
        Field("retainedChange") { $0.change.retainedChange.map { Int64($0) } }
        Field("paths") { $0.hasPaths }
    }
}
