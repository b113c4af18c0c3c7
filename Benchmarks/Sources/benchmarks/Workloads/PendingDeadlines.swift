import LifetimeTracer
import Reporting

/// The cost of pending deadlines: for objects without a deadline, for one check, and for the death of an object with
/// one.
struct PendingDeadlines {
    let rounds: Int
    let pairs: Int

    private static let pending = 100_000
    /// So long that no deadline is ever reached.
    private static let delay = Duration.seconds(3600)

    func run(_ registry: LifetimeRegistry = .shared) throws -> [Figure] {
        let waiting = try Self.expected(Self.pending)
        let hot = HotCourse()
        var figures = Contest(workload: "deadlines", entrants: hot.own(), pairs: pairs, rounds: rounds).run()
        let checks = (0..<max(20, rounds * 5)).map { _ in Stopwatch.time { registry.check() } / 1e6 }
        figures.append(Figure("check", "traced", unit: "ms", Spread(of: checks)))
        withExtendedLifetime(waiting) {}
        return figures + deaths()
    }

    private func deaths() -> [Figure] {
        Contest(
            workload: "deadline-death",
            entrants: [
                Contest.Entrant(name: Contest.bare) { Self.timeDeaths((0..<$0).map { BarePair.make($0) }) },
                Contest.Entrant(name: "without-deadline") { Self.timeDeaths((0..<$0).map { TracedPair.make($0) }) },
                Contest.Entrant(name: "with-deadline") { count in
                    guard let objects = try? Self.expected(count) else { preconditionFailure("a deadline was refused") }
                    return Self.timeDeaths(objects)
                },
            ], pairs: 5000, rounds: rounds
        ).run()
    }

    private static func expected(_ count: Int) throws -> [TracedPair] {
        try (0..<count).map { index in
            let object = TracedPair.make(index)
            try LifetimeRegistry.shared.expectDeallocation(of: object, within: delay, because: "benchmark")
            return object
        }
    }

    private static func timeDeaths<S: Subject>(_ objects: consuming [S]) -> Double {
        var objects = consume objects
        let count = objects.count
        return Stopwatch.time { objects.removeAll() } / Double(count)
    }
}
