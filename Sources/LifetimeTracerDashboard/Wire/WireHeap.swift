import LifetimeTracer
import RetainPaths

/// The wire type of a capture of the heap, without its lines.
struct WireHeap: JSONObject {
    private let capture: HeapCapture
    private let takenAt: Timestamp
    private let age: DecimalNumber

    init(_ capture: HeapCapture, _ clock: WireClock) {
        self.capture = capture
        takenAt = clock.timestamp(capture.takenAt)
        age = clock.age(capture.takenAt)
    }

    static let fields = Field.list {
        Field("id", as: HeapNumber.schema) { $0.capture.id }
        Field("takenAt") { $0.takenAt }
        Field("ageSeconds") { $0.age }
        Field("lines") { $0.capture.graph.lines.count }
        Field("count") { $0.capture.graph.count }
        Field("bytes") { $0.capture.graph.bytes }
        Field("leftOut") { $0.capture.graph.leftOut.map(WireLeftOut.init) }
        Field("cost") { WireRetainCost($0.capture.graph.cost) }
    }
}

/// The numbers of captures.
enum HeapNumber {
    static let range = 1...1_000_000_000
    static let schema = JSONSchema.integer(range).named("HeapNumber")
}

/// The wire type of the blocks that a census has counted but not examined.
private struct WireLeftOut: JSONObject {
    let line: HeapGraph.Line

    static let fields = Field.list {
        Field("count") { $0.line.count }
        Field("bytes") { $0.line.bytes }
    }
}

/// The wire type of a page of the lines of a capture.
struct WireHeapLines: JSONObject {
    let heap: WireHeap
    let page: Page<WireHeapLine>

    static let fields = Field.list {
        Field("heap") { $0.heap }
        Field.page { $0.page }
        Field("types") { $0.page.entries }
    }
}

/// The wire type of a page of the differences between two captures.
struct WireHeapDiff: JSONObject {
    let from: WireHeap
    let to: WireHeap
    let page: Page<WireHeapChange>

    static let fields = Field.list {
        Field("from") { $0.from }
        Field("to") { $0.to }
        Field.page { $0.page }
        Field("types") { $0.page.entries }
    }
}

/// The wire type of the kept captures.
struct WireHeapList: JSONObject {
    let page: Page<WireHeap>
    let running: WireHeapJob?
    let dropped: Int

    static let fields = Field.list {
        Field.page { $0.page }
        Field("running") { $0.running }
        Field("limit", as: .integer(1...)) { _ in HeapCaptures.keptLimit }
        Field("dropped") { $0.dropped }
        Field("heaps") { $0.page.entries }
    }
}

/// The wire type of a capture that is being made.
struct WireHeapJob: JSONObject {
    private let job: HeapJob
    private let startedAt: Timestamp
    private let age: DecimalNumber

    init(_ job: HeapJob, _ clock: WireClock) {
        self.job = job
        startedAt = clock.timestamp(job.startedAt)
        age = clock.age(job.startedAt)
    }

    static let fields = Field.list {
        Field("id", as: HeapNumber.schema) { $0.job.id }
        Field("progress") { $0.job.progress }
        Field("startedAt") { $0.startedAt }
        Field("ageSeconds") { $0.age }
    }
}

/// The wire type of the response to a request for a capture that is being made.
struct WireStartedHeap: JSONObject {
    let job: WireHeapJob

    static let fields = Field.list {
        Field("job") { $0.job }
    }
}
