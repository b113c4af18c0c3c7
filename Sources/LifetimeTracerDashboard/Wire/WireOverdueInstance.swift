import LifetimeTracer

/// An overdue or late instance as it is sent.
struct WireOverdueInstance: JSONWritable {
    private let member: OverdueGroups.Member
    private let tokensInForce: Int
    private let setAt: Timestamp
    private let dueAt: Timestamp
    private let overdueSeconds: DecimalNumber
    private let goneAt: Timestamp?
    private let creationStack: WireStack?

    init(_ member: OverdueGroups.Member, tokensInForce: Int, _ stacks: inout NamedStacks, _ clock: WireClock) {
        self.member = member
        creationStack = stacks(member.creationStack)
        self.tokensInForce = tokensInForce
        setAt = clock.timestamp(member.deadline.setAt)
        dueAt = clock.timestamp(member.deadline.due)
        overdueSeconds = .seconds((member.goneAt ?? clock.now) - member.deadline.due)
        goneAt = member.goneAt.map(clock.timestamp)
    }

    func write(to writer: inout JSONWriter) {
        let deadline = member.deadline
        writer.object { writer in
            writer.field("id", deadline.instance.rawValue)
            writer.field("type", deadline.type.qualified)
            writer.field("label", member.label)
            writer.field("role", member.isVictim ? "victim" : "culprit")
            writer.field("reason", deadline.reason)
            writer.field("state", member.goneAt == nil ? "overdue" : "late")
            writer.field("setAt", setAt)
            writer.field("withinSeconds", DecimalNumber.seconds(deadline.within))
            writer.field("dueAt", dueAt)
            writer.field("overdueSeconds", overdueSeconds)
            writer.field("goneAt", goneAt)
            writer.field("tokensInForce", tokensInForce)
            writer.field("site", member.site.map(WireSite.init))
            writer.field("creationStack", creationStack)
            writer.field("retainStatus", member.finding?.explanation.status.rawValue)
            writer.field("known", member.known != nil)
        }
    }
}
