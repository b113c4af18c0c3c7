import LifetimeTracer
import RetainPaths
import TracerBase

/// The wire type of an overdue or late instance.
struct WireOverdueInstance: JSONObject {
    private enum Role: String, JSONChoice {
        case culprit, victim
    }

    private enum State: String, JSONChoice {
        case overdue, late
    }

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
        overdueSeconds = .seconds(from: member.deadline.due, to: member.goneAt ?? clock.now)
        goneAt = member.goneAt.map(clock.timestamp)
    }

    static let fields = Field.list {
        Field("id") { $0.member.deadline.instance }
        Field("type") { $0.member.deadline.type }
        Field("label") { $0.member.label }
        Field("role") { $0.member.isVictim ? Role.victim : .culprit }
        Field("reason") { $0.member.deadline.reason }
        Field("state") { $0.member.goneAt == nil ? State.overdue : .late }
        Field("setAt") { $0.setAt }
        Field("withinSeconds") { DecimalNumber.seconds($0.member.deadline.within) }
        Field("dueAt") { $0.dueAt }
        Field("overdueSeconds") { $0.overdueSeconds }
        Field("goneAt") { $0.goneAt }
        Field("tokensInForce", as: .integer(0...)) { $0.tokensInForce }
        Field("site") { $0.member.site.map(WireSite.init) }
        Field("creationStack") { $0.creationStack }
        Field("retainStatus") { $0.member.finding?.explanation.status }
        Field("known") { $0.member.known != nil }
    }

    /// Writes the same as the fields, in less time: a list has hundreds of instances.
    func write(to writer: inout JSONWriter) {
        let deadline = member.deadline
        writer.object { writer in
            writer.member("id", deadline.instance)
            writer.member("type", deadline.type)
            writer.member("label", member.label)
            writer.member("role", member.isVictim ? Role.victim : .culprit)
            writer.member("reason", deadline.reason)
            writer.member("state", member.goneAt == nil ? State.overdue : .late)
            writer.member("setAt", setAt)
            writer.member("withinSeconds", DecimalNumber.seconds(deadline.within))
            writer.member("dueAt", dueAt)
            writer.member("overdueSeconds", overdueSeconds)
            writer.member("goneAt", goneAt)
            writer.member("tokensInForce", tokensInForce)
            writer.member("site", member.site.map(WireSite.init))
            writer.member("creationStack", creationStack)
            writer.member("retainStatus", member.finding?.explanation.status)
            writer.member("known", member.known != nil)
        }
    }
}
