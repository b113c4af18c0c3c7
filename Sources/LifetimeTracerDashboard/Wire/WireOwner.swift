import LifetimeTracer

/// The owner of an instance or a token as it is sent.
struct WireOwner: JSONWritable {
    private let owner: OwnerRecord

    init(_ owner: OwnerRecord) {
        self.owner = owner
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", owner.id.rawValue)
            writer.field("type", owner.type?.qualified)
            writer.field("live", owner.isLive)
        }
    }
}
