/// The wire type of a known leak.
struct WireKnownLeak: JSONObject {
    private let leak: KnownLeakEntry

    init(_ leak: KnownLeakEntry) {
        self.leak = leak
    }

    static let fields = Field.list {
        Field("subject") { $0.leak.subject }
        Field("reason") { $0.leak.reason }
        Field("expires") { $0.leak.expires }
        Field("acknowledged") { $0.leak.isAcknowledged }
    }
}

/// The wire type of a known leak with the number of instances that it explains.
struct WireKnownLeakCount: JSONObject {
    let leak: WireKnownLeak
    let count: Int

    static let fields = Field.list {
        Field.all { $0.leak }
        Field("count", as: .integer(0...)) { $0.count }
    }
}
