import LifetimeTracer

/// The wire type of the overdue and late instances with one fingerprint.
struct WireOverdueGroup: JSONObject {
    private let group: OverdueGroups.Group
    private let members: [WireOverdueInstance]
    private let retainPath: WireRetainPath?

    init(
        _ group: OverdueGroups.Group, shown: Int, tokensInForce: [InstanceID: Int], _ stacks: inout NamedStacks,
        _ clock: WireClock
    ) {
        self.group = group
        retainPath = group.finding.map { WireRetainPath($0, clock) }
        members = group.members.prefix(shown).map {
            WireOverdueInstance($0, tokensInForce: tokensInForce[$0.deadline.instance] ?? 0, &stacks, clock)
        }
    }

    static let fields = Field.list {
        Field("fingerprint") { $0.group.culprit.fingerprint }
        Field("type") { $0.group.culprit.type }
        Field("reason") { $0.group.culprit.reason }
        Field("message") { $0.group.culprit.message }
        Field("overdue", as: .integer(0...)) { $0.group.overdue }
        Field("late", as: .integer(0...)) { $0.group.late }
        Field("culprits", as: .integer(0...)) { $0.group.culprits }
        Field("known") { wire in
            wire.group.known.map { WireKnownLeakCount(leak: WireKnownLeak($0), count: wire.group.knownCount) }
        }
        Field("retainPath") { $0.retainPath }
        Field("instances", as: .array(of: WireOverdueInstance.schema, count: 0...OverdueGroups.shownMembers)) {
            $0.members
        }
    }
}

/// The wire type of a page of overdue and late instances.
struct WireOverdueList: JSONObject {
    let page: Page<WireOverdueGroup>
    let overdue: Int
    let late: Int
    /// The number of overdue instances that are known leaks.
    let known: Int

    static let fields = Field.list {
        Field.page { $0.page }
        Field("overdue", as: .integer(0...)) { $0.overdue }
        Field("late", as: .integer(0...)) { $0.late }
        Field("known", as: .integer(0...)) { $0.known }
        Field("groups") { $0.page.entries }
    }
}
