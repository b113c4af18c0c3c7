import LifetimeTracer

/// The wire type of a verdict.
struct WireVerdict: JSONObject {
    private let verdict: Verdict
    private let at: Timestamp

    init(_ verdict: Verdict, _ registry: LifetimeRegistry) {
        self.verdict = verdict
        at = Timestamp(registry.wallTime(at: verdict.at))
    }

    static let fields = Field.list {
        Field("id") { $0.verdict.id }
        Field("at") { $0.at }
        Field("kind") { $0.verdict.kind }
        Field("type") { $0.verdict.type }
        Field("instance") { $0.verdict.instance }
        Field("label") { $0.verdict.label }
        Field("event") { $0.verdict.event }
        Field("reason") { $0.verdict.reason }
        Field("message") { $0.verdict.message }
        Field("fingerprint") { $0.verdict.fingerprint }
    }
}
