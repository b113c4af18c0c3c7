import LifetimeTracer

/// The overdue and late instances of one fingerprint as they are sent.
struct WireOverdueGroup: JSONWritable {
    private let group: OverdueGroups.Group
    private let members: [WireOverdueInstance]
    private let retainPath: WireRetainPath?

    init(
        _ group: OverdueGroups.Group, tokensInForce: [InstanceID: Int], _ stacks: inout NamedStacks, _ clock: WireClock
    ) {
        self.group = group
        retainPath = group.finding.map { WireRetainPath($0, clock) }
        members = group.members.prefix(OverdueGroups.shownMembers).map {
            WireOverdueInstance($0, tokensInForce: tokensInForce[$0.deadline.instance] ?? 0, &stacks, clock)
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("fingerprint", group.culprit.fingerprint.description)
            writer.field("type", group.culprit.type.qualified)
            writer.field("reason", group.culprit.reason)
            writer.field("message", group.culprit.message)
            writer.field("overdue", group.overdue)
            writer.field("late", group.late)
            writer.field("known", group.known.map { WireKnownLeak($0, count: group.knownCount) })
            writer.field("retainPath", retainPath)
            writer.field("instances", members)
        }
    }
}
