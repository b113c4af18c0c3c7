import LifetimeTracer

/// The wire type of a mark.
struct WireMark: JSONObject {
    private let mark: Mark
    private let at: Timestamp
    private let age: DecimalNumber

    init(_ mark: Mark, _ clock: WireClock) {
        self.mark = mark
        at = clock.timestamp(mark.at)
        age = clock.age(mark.at)
    }

    static let fields = Field.list {
        Field("name", as: MarkName.schema) { $0.mark.name }
        Field("at") { $0.at }
        Field("ageSeconds") { $0.age }
        Field("live") { $0.mark.live }
        Field("born") { $0.mark.born }
        Field("died") { $0.mark.died }
    }
}

/// The wire type of a page of marks.
struct WireMarkList: JSONObject {
    let page: Page<WireMark>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("marks") { $0.page.entries }
    }
}
