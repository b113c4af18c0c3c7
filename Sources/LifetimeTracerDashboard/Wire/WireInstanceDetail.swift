import LifetimeTracer

/// A live instance with all that is known of it, as it is sent.
struct WireInstanceDetail: JSONWritable {
    /// The most children, deadlines or tokens that are sent.
    static let limit = 500

    private let instance: WireInstance
    private let creationStack: WireStack?
    private let exemption: String?
    private let children: [UInt64]
    private let deadlines: [WireDeadline]
    private let tokens: [WireToken]

    init(
        _ record: InstanceRecord, in snapshot: Snapshot, children: [InstanceID], _ clock: WireClock
    ) {
        instance = WireInstance(record, verdicts: InstanceVerdicts(snapshot).of(record), clock)
        creationStack = record.creationStack.map(WireStack.init)
        exemption = record.exemption
        self.children = children.prefix(Self.limit).map(\.rawValue)
        deadlines = snapshot.deadlines.lazy.filter { $0.instance == record.id }.prefix(Self.limit)
            .map { WireDeadline($0, clock) }
        tokens = snapshot.tokens.lazy.filter { $0.owner?.id == record.id }.prefix(Self.limit)
            .map { WireToken($0, clock) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            instance.writeFields(to: &writer)
            writer.field("creationStack", creationStack)
            writer.field("exemption", exemption)
            writer.field("children", children)
            writer.field("deadlines", deadlines)
            writer.field("tokens", tokens)
        }
    }
}
