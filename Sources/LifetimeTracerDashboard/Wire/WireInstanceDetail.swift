import LifetimeTracer
import RetainPaths

/// The wire type of a live instance in detail.
struct WireInstanceDetail: JSONObject {
    /// The most children, deadlines or tokens of an instance.
    static let limit = 500

    private let instance: WireInstance
    private let creationStack: WireStack?
    private let exemption: String?
    private let children: [InstanceID]
    private let deadlines: [WireDeadline]
    private let tokens: [WireToken]
    private let finding: RetainFinding?

    init(
        _ record: InstanceRecord, in snapshot: Snapshot, children: [InstanceID], finding: RetainFinding?,
        _ clock: WireClock
    ) {
        instance = WireInstance(record, verdicts: InstanceVerdicts(snapshot).of(record), clock)
        creationStack = record.creationStack.map(WireStack.init)
        exemption = record.exemption
        self.finding = finding
        self.children = Array(children.prefix(Self.limit))
        deadlines = snapshot.deadlines.lazy.filter { $0.instance == record.id }.prefix(Self.limit)
            .map { WireDeadline($0, clock) }
        tokens = snapshot.tokens.lazy.filter { $0.owner?.id == record.id }.prefix(Self.limit)
            .map { WireToken($0, clock) }
    }

    static let fields = Field.list {
        Field.all { $0.instance }
        Field("creationStack") { $0.creationStack }
        Field("exemption") { $0.exemption }
        Field("retainStatus") { $0.finding?.explanation.status }
        Field("children", as: .array(of: InstanceID.schema, count: 0...limit)) { $0.children }
        Field("deadlines", as: .array(of: WireDeadline.schema, count: 0...limit)) { $0.deadlines }
        Field("tokens", as: .array(of: WireToken.schema, count: 0...limit)) { $0.tokens }
    }
}
