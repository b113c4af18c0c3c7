import LifetimeTracer

/// A mark as it is sent.
struct WireMark: JSONWritable {
    private let mark: Mark
    private let at: Timestamp
    private let age: DecimalNumber

    init(_ mark: Mark, _ clock: WireClock) {
        self.mark = mark
        at = clock.timestamp(mark.at)
        age = clock.age(mark.at)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", mark.name)
            writer.field("at", at)
            writer.field("ageSeconds", age)
            writer.field("live", mark.live)
            writer.field("born", mark.born)
            writer.field("died", mark.died)
        }
    }
}
