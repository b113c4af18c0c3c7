import LifetimeTracer
import RetainPaths

extension HeapGraph.Paths.Group.Status: JSONChoice {}

/// The wire type of objects that the same root holds in the same way.
struct WireHeapPathGroup: JSONObject {
    private let group: HeapGraph.Paths.Group
    private let examined: Int
    private let steps: [WireRetainStep]
    private let text: String

    /// - Parameter examined: The number of all examined objects.
    init(_ group: HeapGraph.Paths.Group, of examined: Int, full: Bool) {
        self.group = group
        self.examined = examined
        steps = WireRetainStep.all(of: group, full: full)
        text = group.text(of: examined, full: full)
    }

    static let fields = Field.list {
        Field("status") { $0.group.status }
        Field("count", as: .integer(1...)) { $0.group.count }
        Field("throughOthers", as: .integer(0...)) { $0.group.throughOthers }
        Field("throughMore", as: .integer(0...)) { $0.group.throughMore }
        Field("name") { $0.group.name }
        Field("headline") { $0.group.headline(of: $0.examined) }
        Field("steps") { $0.steps }
        Field("fingerprint") { $0.group.fingerprint }
        Field("signature") { $0.group.signature }
        Field("text") { $0.text }
    }
}

extension HeapGraph.Paths.Group {
    /// The key that identifies the group in a list.
    var key: UInt64 {
        // Groups with the same fingerprint differ in the closures and tasks on their paths.
        let names = path.map { "\($0.kind.rawValue) \($0.name)" }.joined(separator: " ")
        return StableHash.of(status.rawValue, fingerprint?.description ?? "", name, "\(names) \(signature)")
    }
}

/// The wire type of a page of what holds the objects of a type.
struct WireHeapPaths: JSONObject {
    private let heap: WireHeap
    private let graph: HeapGraph
    private let paths: HeapGraph.Paths
    private let foundAt: Timestamp
    private let age: DecimalNumber
    private let page: Page<WireHeapPathGroup>

    init(
        _ finding: HeapPathFinding, of capture: HeapCapture, page: Page<WireHeapPathGroup>, _ clock: WireClock
    ) {
        heap = WireHeap(capture, clock)
        graph = capture.graph
        paths = finding.paths
        foundAt = clock.timestamp(finding.foundAt)
        age = clock.age(finding.foundAt)
        self.page = page
    }

    static let fields = Field.list {
        Field("heap") { $0.heap }
        Field("types") { value in value.paths.lines.map { WireHeapLine($0, of: value.graph) } }
        Field("count", as: .integer(0...)) { $0.paths.count }
        Field("examined", as: .integer(0...)) { $0.paths.examined }
        Field("headline") { $0.paths.headline }
        Field("foundAt") { $0.foundAt }
        Field("ageSeconds") { $0.age }
        Field("copy") { WireRetainCost($0.paths.cost) }
        Field.page { $0.page }
        Field("groups") { $0.page.entries }
    }
}

/// The wire type of a search for what holds the objects of a type.
struct WireStartedHeapPaths: JSONObject {
    let job: WireHeapPathJob

    static let fields = Field.list {
        Field("job") { $0.job }
    }
}

/// The wire type of the progress of such a search.
struct WireHeapPathJob: JSONObject {
    private let job: HeapPathJob
    private let startedAt: Timestamp
    private let age: DecimalNumber

    init(_ job: HeapPathJob, _ clock: WireClock) {
        self.job = job
        startedAt = clock.timestamp(job.startedAt)
        age = clock.age(job.startedAt)
    }

    static let fields = Field.list {
        Field("progress") { $0.job.progress }
        Field("startedAt") { $0.startedAt }
        Field("ageSeconds") { $0.age }
    }
}
