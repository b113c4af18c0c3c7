import LifetimeTracer

/// The wire type of a leak that was acknowledged while the process runs.
struct WireAcknowledgedLeak: JSONObject {
    /// The number of Unicode code points in a reason.
    static let reasonLength = 1...500
    /// The schema of accepted reasons: at least one visible character.
    static let reasonSchema = JSONSchema.string(length: reasonLength, pattern: VisibleText.pattern)

    private let leak: AcknowledgedLeaks.Leak
    private let at: Timestamp

    init(_ leak: AcknowledgedLeaks.Leak, _ clock: WireClock) {
        self.leak = leak
        at = clock.timestamp(leak.at)
    }

    static let fields = Field.list {
        Field("fingerprint") { $0.leak.fingerprint }
        Field("reason", as: Self.reasonSchema) { $0.leak.reason }
        Field("at") { $0.at }
    }
}

/// The wire type of a page of leaks that were acknowledged while the process runs.
struct WireAcknowledgedLeakList: JSONObject {
    let page: Page<WireAcknowledgedLeak>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("acknowledgedLeaks") { $0.page.entries }
    }
}
