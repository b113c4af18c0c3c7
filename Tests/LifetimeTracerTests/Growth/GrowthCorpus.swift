import Testing

@testable import LifetimeTracer

/// A population with the verdict that is right for it.
struct GrowthCase: Sendable, CustomTestStringConvertible {
    /// The right verdict.
    enum Outcome: Sendable {
        /// Never growing.
        case never
        /// Growing from a minute in this range to the end.
        case said(ClosedRange<Int>)
        /// Growing at most once, and withdrawn by a minute.
        case withdrawn(by: Int)
    }

    let name: String
    let minutes: Int
    let outcome: Outcome
    let population: Population

    var testDescription: String { name }

    init(_ name: String, _ minutes: Int, _ outcome: Outcome, _ population: Population) {
        self.name = name
        self.minutes = minutes
        self.outcome = outcome
        self.population = population
    }

    static let corpus = leaks + steady + changing + gathering + caches

    private static let empty = Population()

    /// Leaks, most of them 1 % a minute of a thousand instances.
    private static let leaks = [
        Self("leak beside a fixed population", 60, .said(9...10), empty.with(1000).evenly(10, to: 60)),
        Self("small leak beside a fixed population", 60, .said(9...10), empty.with(100).evenly(1, to: 60)),
        Self(
            "leak beside instances that live up to a minute", 60, .said(9...10),
            empty.evenly(1000, to: 60, living: .upTo(1)).evenly(10, to: 60)),
        Self(
            "leak beside instances that live two minutes", 60, .said(9...11),
            empty.evenly(500, to: 60, living: .exactly(2)).evenly(10, to: 60)),
        Self(
            "leak beside instances that live around two minutes", 90, .said(20...35),
            empty.evenly(500, to: 90, living: .around(2)).evenly(10, to: 90)),
        Self("every instance leaks, 40 a minute", 120, .said(9...9), empty.evenly(40, to: 120)),
        Self("every instance leaks, 20 a minute at random", 120, .said(9...9), empty.randomly(to: 120) { _ in 20 }),
        Self("every instance leaks, one a minute", 120, .said(20...36), empty.evenly(1, to: 120)),
        Self("every instance leaks, one in five minutes", 300, .said(60...100), empty.evenly(0.2, to: 300)),
        Self(
            "leak after two healthy hours", 240, .said(129...130),
            empty.evenly(500, to: 240, living: .upTo(1)).evenly(10, from: 120, to: 240)),
        Self(
            "one of twenty sessions leaks", 240, .said(20...120),
            empty.evenly(38, to: 240, living: .around(5)).evenly(2, to: 240)),
        Self("leak in bursts", 180, .said(30...40), empty.bursts(of: 20, every: 3, to: 180, living: .forever)),
        Self(
            "accelerating leak", 120, .said(9...12),
            empty.randomly(to: 120) { 5 + $0 / 2 }),
        Self(
            "leak among sessions of up to two hours", 600, .said(200...420),
            empty.evenly(20, to: 600, living: .upTo(120)).evenly(10, to: 600)),
    ]

    private static let steady = [
        Self("nothing is ever born", 120, .never, empty),
        Self("fixed population", 240, .never, empty.with(1000)),
        Self("one instance an hour that stays", 600, .never, empty.evenly(1.0 / 60, to: 600)),
        Self(
            "a thousand a minute that live a second", 120, .never,
            empty.evenly(1000, to: 120, living: .upTo(1.0 / 60))),
        Self("sessions around 5 minutes", 240, .never, empty.randomly(to: 240, living: .around(5)) { _ in 40 }),
        Self("sessions around 20 minutes", 240, .never, empty.randomly(to: 240, living: .around(20)) { _ in 40 }),
        Self("sessions around an hour", 480, .never, empty.randomly(to: 480, living: .around(60)) { _ in 40 }),
        Self("few sessions around an hour", 480, .never, empty.randomly(to: 480, living: .around(60)) { _ in 2 }),
        Self("sessions of up to an hour", 360, .never, empty.randomly(to: 360, living: .upTo(60)) { _ in 20 }),
        Self("sessions of up to two hours", 480, .never, empty.randomly(to: 480, living: .upTo(120)) { _ in 40 }),
        Self(
            "short requests beside connections of up to an hour", 360, .never,
            empty.evenly(300, to: 360, living: .upTo(0.1)).randomly(to: 360, living: .upTo(60)) { _ in 10 }),
        Self("connections that all live five minutes", 180, .never, empty.evenly(20, to: 180, living: .exactly(5))),
    ]

    private static let changing = [
        Self(
            "morning: sessions with ten times the load after two hours", 240, .never,
            empty.randomly(to: 240, living: .around(10)) { 5 + min($0, 120) * 0.4 }),
        Self(
            "load that doubles at once", 240, .never,
            empty.randomly(to: 240, living: .around(15)) { $0 < 120 ? 20 : 40 }),
        Self(
            "load in waves of an hour", 480, .never,
            empty.randomly(to: 480, living: .around(8)) {
                30 + 28 * (abs(($0 / 30).truncatingRemainder(dividingBy: 2) - 1) * 2 - 1)
            }),
        Self("slow start: six minutes to a hundred workers", 240, .never, empty.evenly(17, to: 6)),
        Self("slow start that levels off", 240, .never, empty.randomly(to: 240) { 400 / ((1 + $0) * (1 + $0)) }),
        Self(
            "slow start of sessions around ten minutes", 240, .never,
            empty.randomly(to: 240, living: .around(10)) { min(40, $0) }),
        Self("one burst that stays", 240, .never, empty.with(50).with(1000, at: 30.5)),
        Self(
            "pool that is enlarged three times", 240, .never,
            empty.bursts(of: 10, every: 20, to: 60, living: .forever)),
        Self(
            "program that ends its work", 240, .never,
            empty.randomly(to: 120, living: .around(5)) { _ in 40 }),
    ]

    private static let gathering = [
        Self("sawtooth of two minutes", 240, .never, empty.teeth(of: 2, perMinute: 50, to: 240)),
        Self("sawtooth of five minutes", 240, .never, empty.teeth(of: 5, perMinute: 50, to: 240)),
        Self("sawtooth of eight minutes", 240, .never, empty.teeth(of: 8, perMinute: 50, to: 240)),
        Self("sawtooth of twenty minutes", 400, .withdrawn(by: 20), empty.teeth(of: 20, perMinute: 50, to: 400)),
        Self(
            "bursts that live two minutes", 240, .never, empty.bursts(of: 500, every: 5, to: 240, living: .exactly(2))),
        Self(
            "bursts that live up to five minutes", 240, .never,
            empty.bursts(of: 300, every: 3, to: 240, living: .upTo(5))),
        Self(
            "bursts that live forty minutes", 400, .never,
            empty.bursts(of: 200, every: 30, to: 400, living: .exactly(40))),
        Self(
            "all are replaced each hour", 480, .never, empty.bursts(of: 500, every: 60, to: 480, living: .exactly(60))),
        Self(
            "job of a quarter of an hour, each hour", 480, .never,
            (0..<8).reduce(empty) {
                $0.evenly(50, from: Double($1) * 60, to: Double($1) * 60 + 15, living: .upTo(10))
            }),
    ]

    private static let caches = [
        Self("cache that fills in five minutes and stays", 240, .never, empty.evenly(100, to: 5)),
        Self(
            "cache of five minutes that replaces its oldest", 240, .never, empty.cache(of: 500, perMinute: 100, to: 240)
        ),
        Self(
            "cache that replaces at random", 240, .never,
            empty.randomly(to: 240, living: .around(25)) { _ in 40 }),
        Self("cache that fills for half an hour and stays", 240, .withdrawn(by: 45), empty.evenly(40, to: 30)),
        Self(
            "cache of half an hour that replaces its oldest", 240, .withdrawn(by: 45),
            empty.cache(of: 1200, perMinute: 40, to: 240)),
        Self(
            "cache that keeps each entry for an hour", 400, .withdrawn(by: 75),
            empty.cache(of: 600, perMinute: 10, to: 400)),
    ]
}
