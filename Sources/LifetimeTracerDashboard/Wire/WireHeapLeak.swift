import LifetimeTracer
import RetainPaths

extension HeapGraph.Leak.Kind: JSONChoice {}

/// A leak of a capture, with the known leak that it matches now.
///
/// A leak may be acknowledged after the capture was taken.
struct HeapLeakEntry: Sendable {
    let leak: HeapGraph.Leak
    let known: KnownLeakEntry?

    /// The key that identifies the leak in a list.
    var key: UInt64 {
        StableHash.of(
            leak.kind.rawValue, leak.fingerprint?.description ?? "", leak.type, "\(leak.name) \(leak.signature)")
    }
}

/// The wire type of equal leaks of a capture.
struct WireHeapLeak: JSONObject {
    private let entry: HeapLeakEntry
    private let steps: [WireRetainStep]

    private var leak: HeapGraph.Leak { entry.leak }

    init(_ entry: HeapLeakEntry) {
        self.entry = entry
        steps = WireRetainStep.all(of: entry.leak, full: false)
    }

    static let fields = Field.list {
        Field("kind") { $0.leak.kind }
        Field("name") { $0.leak.name }
        Field("type") { $0.leak.type.isEmpty ? nil : $0.leak.type }
        Field("ofProgram") { $0.leak.isOfProgram }
        Field("count", as: .integer(1...)) { $0.leak.count }
        Field("objects", as: .integer(1...)) { $0.leak.objects }
        Field("bytes") { $0.leak.bytes }
        Field("victims") { $0.leak.victims.map(WireHeapVictims.init) }
        Field("strongReferences", as: .integer(0...)) { $0.leak.strongReferences }
        Field("explained", as: .integer(0...)) { $0.leak.explainedReferences }
        Field("steps") { $0.steps }
        Field("hint") { $0.leak.hint?.text }
        Field("pattern") { $0.leak.hint?.pattern }
        Field("fingerprint") { $0.leak.fingerprint }
        Field("signature") { $0.leak.signature }
        Field("known") { $0.entry.known.map(WireKnownLeak.init) }
        Field("expired") { $0.leak.expired.map { WireKnownLeak(KnownLeakEntry($0)) } }
        Field("text") { $0.leak.text() }
    }
}

/// The wire type of instances of a class that only a leak holds.
struct WireHeapVictims: JSONObject {
    let victims: HeapGraph.Victims

    init(_ victims: HeapGraph.Victims) { self.victims = victims }

    static let fields = Field.list {
        Field("name") { $0.victims.name }
        Field("type") { $0.victims.type.isEmpty ? nil : $0.victims.type }
        Field("count", as: .integer(1...)) { $0.victims.count }
        Field("inCycles", as: .integer(0...)) { $0.victims.inCycles }
    }
}

/// The wire type of a page of the leaks of a capture.
struct WireHeapLeaks: JSONObject {
    let heap: WireHeap
    let leaks: HeapGraph.Leaks
    /// The cycles and the known ones among them; each of equal leaks counts.
    let cycles: Int
    let knownCycles: Int
    /// The Tasks that nothing can resume; they are in the list of Tasks.
    let stuckTasks: Int
    let page: Page<WireHeapLeak>

    static let fields = Field.list {
        Field("heap") { $0.heap }
        Field("cycles", as: .integer(0...)) { $0.cycles }
        Field("knownCycles", as: .integer(0...)) { $0.knownCycles }
        Field("leftOut", as: .integer(0...)) { $0.leaks.leftOut }
        Field("leftOutCycles", as: .integer(0...)) { $0.leaks.leftOutCycles }
        Field("notCompared", as: .integer(0...)) { $0.leaks.notCompared }
        Field("stuckTasks", as: .integer(0...)) { $0.stuckTasks }
        Field("obstacle") { $0.leaks.obstacle }
        Field.page { $0.page }
        Field("leaks") { $0.page.entries }
    }
}
