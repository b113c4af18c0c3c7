import LifetimeTracer

/// The wire type of the traced process.
struct WireProcess: JSONObject {
    private let facts: ProcessFacts
    private let clock: WireClock

    init(_ facts: ProcessFacts, _ clock: WireClock) {
        self.facts = facts
        self.clock = clock
    }

    static let fields = Field.list {
        Field("pid", as: .integer(1...)) { $0.facts.pid }
        Field("name") { $0.facts.name }
        Field("host") { $0.facts.host }
        Field("startedAt") { Timestamp($0.facts.startedAt) }
        Field("uptimeSeconds") { $0.clock.age($0.facts.startedAt) }
        Field("swiftVersion") { $0.facts.swiftVersion }
        Field("libraryVersion") { $0.facts.libraryVersion }
    }
}
