import LifetimeTracer
import Reporting

/// The timed workloads, one after the other.
struct Measuring {
    private let only: [String]
    private let suffix: String
    private let quick: Bool

    init(only: [String], quick: Bool, suffix: String) {
        self.only = only
        self.quick = quick
        self.suffix = suffix
    }

    private var rounds: Int { quick ? 9 : 41 }
    /// The factor for the pairs of a crew.
    ///
    /// A round of two threads then lasts milliseconds, while the threads start within tens of microseconds.
    private static let pairsOfCrew = 4
    private var pairs: Int { quick ? 40_000 : 200_000 }

    /// Runs the wanted workloads and passes on the lines of each as soon as it is measured.
    func run(_ write: (String) -> Void) throws {
        func finish(_ figures: [Figure]) {
            for figure in figures { write(figure.renamed(suffix: suffix).line) }
        }
        func contest(_ id: String, _ entrants: @autoclosure () -> [Contest.Entrant], pairs: Int? = nil) {
            guard isWanted(id) else { return }
            finish(Contest(workload: id, entrants: entrants(), pairs: pairs ?? self.pairs, rounds: rounds).run())
        }

        contest("pair", HotCourse().own() + HotCourse().peers())
        contest("ring", RingCourse().own() + RingCourse().peers())
        let two = Crew(2)
        let crewPairs = pairs * Self.pairsOfCrew
        contest("ring-2", CrewRingCourse(crew: two).own() + CrewRingCourse(crew: two).peers(), pairs: crewPairs)
        contest(
            "handover-2", HandoverCourse(crew: two).own() + HandoverCourse(crew: two).peers(), pairs: crewPairs)
        contest("exchange-2", ExchangeCourse(crew: two).own() + ExchangeCourse(crew: two).peers(), pairs: crewPairs)
        if isWanted("ring-8") || isWanted("handover-8") || isWanted("exchange-8") {
            let eight = Crew(8)
            contest("ring-8", CrewRingCourse(crew: eight).own() + CrewRingCourse(crew: eight).peers(), pairs: crewPairs)
            contest(
                "handover-8", HandoverCourse(crew: eight).own() + HandoverCourse(crew: eight).peers(), pairs: crewPairs)
            contest(
                "exchange-8", ExchangeCourse(crew: eight).own() + ExchangeCourse(crew: eight).peers(), pairs: crewPairs)
        }
        contest("cold", ColdCourse(live: 100_000).own() + ColdCourse(live: 100_000).peers())

        contest(
            "stacks", StackCourse().own().map { $0.with({ LifetimeRegistry.shared.recordsCreationStacks = $0 }, true) })
        contest("off", HotCourse().own().map { $0.with({ LifetimeRegistry.isTracing = $0 }, false) })
        contest("scope", ScopedRegistry.entrants())
        if isWanted("deadlines") || isWanted("check") || isWanted("deadline-death") {
            finish(try PendingDeadlines(rounds: rounds, pairs: pairs).run())
        }
        if isWanted("snapshot") || isWanted("longest-pair") {
            let live = 1_000_000
            finish(SnapshotUnderChurn(live: live, rounds: quick ? 3 : 9, crew: two).run())
        }
    }

    private func isWanted(_ id: String) -> Bool { only.isEmpty || only.contains(id) }
}

extension Contest.Entrant {
    /// The same contender with a switch set during each turn.
    ///
    /// The switch is reset after the time is measured.
    fileprivate func with(_ turn: @escaping (Bool) -> Void, _ isOn: Bool) -> Self {
        guard name != Contest.bare else { return self }
        return Self(name: name) { pairs in
            turn(isOn)
            defer { turn(!isOn) }
            return run(pairs)
        }
    }
}
