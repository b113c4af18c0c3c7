import LifetimeTracer

/// The wire type of a leak that was acknowledged while the process runs.
struct WireSilencedLeak: JSONObject {
    private let leak: SilencedLeaks.Leak
    private let at: Timestamp

    init(_ leak: SilencedLeaks.Leak, _ clock: WireClock) {
        self.leak = leak
        at = clock.timestamp(leak.at)
    }

    static let fields = Field.list {
        Field("fingerprint") { $0.leak.fingerprint }
        Field("reason", as: SilencedLeakRoutes.reasonSchema) { $0.leak.reason }
        Field("at") { $0.at }
    }
}

/// The wire type of a page of leaks that were acknowledged while the process runs.
struct WireSilencedLeakList: JSONObject {
    let page: Page<WireSilencedLeak>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("silencedLeaks") { $0.page.entries }
    }
}
