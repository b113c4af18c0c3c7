import LifetimeTracer

/// Counts of tokens by event or by owner type as they are sent.
struct WireTokenGroup: JSONWritable {
    private let group: TokenGrouping.Group
    private let key: String

    init(_ group: TokenGrouping.Group, key: String) {
        self.group = group
        self.key = key
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field(key, group.name)
            writer.field("kinds", group.kinds.sorted())
            writer.field("inForce", group.inForce)
            writer.field("orphaned", group.orphaned)
            writer.field("registered", group.registered)
            writer.field("removed", group.removed)
            writer.field("refused", group.refused)
            writer.field("deliveries", group.deliveries)
            writer.field("crowded", group.isCrowded)
        }
    }
}
