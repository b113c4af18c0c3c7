import LifetimeTracer

/// The wire type of a subject that is growing.
struct WireGrowth: JSONObject {
    /// The kind of a growing subject.
    enum Kind: String, JSONChoice {
        case type, tokens, process

        init(_ subject: GrowthRecord.Subject) {
            self =
                switch subject {
                case .type: .type
                case .tokens: .tokens
                case .process: .process
                }
        }
    }

    private let growth: GrowthRecord
    private let evidenceSince: Timestamp
    private let since: Timestamp
    private let perMinute: DecimalNumber
    private let known: KnownLeakEntry?

    init(_ growth: GrowthRecord, _ context: DashboardContext) {
        self.growth = growth
        evidenceSince = Timestamp(context.registry.wallTime(at: growth.evidenceSince))
        since = Timestamp(context.registry.wallTime(at: growth.since))
        perMinute = DecimalNumber(growth.perMinute)
        known = context.known(growth.fingerprint)
    }

    static let fields = Field.list {
        Field("subject") { Kind($0.growth.subject) }
        Field("type") { $0.growth.subject.type }
        Field("event") { $0.growth.subject.event }
        Field("name") { $0.growth.subject.name }
        Field("reason") { $0.growth.reason }
        Field("perMinute") { $0.perMinute }
        Field("live", as: .integer(0...)) { $0.growth.live }
        Field("site") { $0.growth.site.map(WireSite.init) }
        Field("evidenceSince") { $0.evidenceSince }
        Field("since") { $0.since }
        Field("known") { $0.known.map(WireKnownLeak.init) }
        Field("fingerprint") { $0.growth.fingerprint }
    }
}

/// The wire type of a page of growing subjects.
struct WireGrowthList: JSONObject {
    let page: Page<WireGrowth>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("growing") { $0.page.entries }
    }
}
