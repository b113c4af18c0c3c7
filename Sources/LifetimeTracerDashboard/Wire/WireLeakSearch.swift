import RetainPaths

/// The wire type of a search for leaks without a capture, for the report of `tracer-server run`.
///
/// The leaks have the form that `/api/v1/heaps/{id}/leaks` gives them.
package struct WireLeakSearch: JSONObject {
    private let leaks: HeapGraph.Leaks
    /// The number of leaks that fail the run.
    private let unknown: Int
    /// The most leaks that are listed.
    private let limit: Int

    private init(_ leaks: HeapGraph.Leaks, unknown: Int, limit: Int) {
        self.leaks = leaks
        self.unknown = unknown
        self.limit = limit
    }

    /// The JSON of a search, which lists as many leaks as fit into a number of bytes.
    package static func json(_ leaks: HeapGraph.Leaks, unknown: Int, atMost size: Int) -> [UInt8] {
        var limit = leaks.all.count
        while true {
            let json = WireLeakSearch(leaks, unknown: unknown, limit: limit).jsonBytes
            if json.count <= size || limit == 0 { return json }
            limit /= 2
        }
    }

    package static let fields = Field.list {
        Field("unknown", as: .integer(0...)) { $0.unknown }
        Field("cycles", as: .integer(0...)) { $0.leaks.cycles.reduce(0) { $0 + $1.count } }
        Field("knownCycles", as: .integer(0...)) {
            $0.leaks.cycles.reduce(0) { $0 + ($1.known == nil ? 0 : $1.count) }
        }
        Field("leftOut", as: .integer(0...)) { $0.leaks.leftOut + max(0, $0.leaks.all.count - $0.limit) }
        Field("notCompared", as: .integer(0...)) { $0.leaks.notCompared }
        Field("leaks") { search in
            search.leaks.all.prefix(search.limit).map { leak in
                WireHeapLeak(HeapLeakEntry(leak: leak, known: leak.known.map(KnownLeakEntry.init)))
            }
        }
    }
}
