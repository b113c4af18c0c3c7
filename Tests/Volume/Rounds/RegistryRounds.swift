import LifetimeTracer

@MainActor let registryRounds: [any Rounds.Type] = [
    Scopes.self, Lives.self, Checks.self, VerdictObservers.self, VerdictDeliveries.self, HistoryObservers.self,
]

private final class Scopes: Rounds {
    static let name = "registry scope: entered, used and left"

    private let registry = LifetimeRegistry(clock: ManualClock())

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let isCurrent = registry.withCurrent { TracedObject().lifetimeRegistry === registry }
            try require(isCurrent, "another registry was current")
        }
    }
}

private final class Lives: Rounds {
    static let name = "registry: made, used with its thread and let go"
    static let count = RoundCount.fewer(
        3_000, because: "a registry starts a thread, some 100 µs")

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let clock = ManualClock()
            let registry = LifetimeRegistry(clock: clock)
            let calls = Tally()
            registry.observeVerdicts(.closure { _ in calls.add() }).keep()
            try registry.withCurrent {
                let object = TracedObject()
                try registry.expectDeallocation(of: object, within: .seconds(1), because: "volume")
                clock.advance(by: .seconds(2))
                registry.check()
                withExtendedLifetime(object) {}
            }
            registry.check()
            try require(calls.count == 2, "\(calls.count) verdicts")
        }
    }
}

/// Each check takes a sample, and evaluates budgets and invariants.
private final class Checks: Rounds {
    static let name = "registry: checks with history, budget and invariant"
    static let count = RoundCount.fewer(100_000, because: "each waits for the registry's thread")

    private let clock = ManualClock()
    private let registry: LifetimeRegistry
    private let samples = Tally()
    private let key: UInt64

    private final class Screen: TracedObject {}
    private final class Model: TracedObject {}

    init() throws {
        var configuration = RegistryConfiguration()
        configuration.historyLimit = 100
        registry = LifetimeRegistry(clock: clock, configuration: configuration)
        try registry.setBudget(0, for: Screen.self)
        try registry.expect(1, of: Model.self, forEach: Screen.self, because: "volume")
        key = registry.observeSamples { [samples] in samples.add() }
        registry.startHistory()
    }

    deinit {
        registry.stopObservingSamples(key)
    }

    func run(_ rounds: Int) throws {
        let before = samples.count
        registry.withCurrent {
            for _ in 0..<rounds {
                let screen = Screen()
                clock.advance(by: .seconds(2))
                registry.check()
                withExtendedLifetime(screen) {}
            }
        }
        // The registry's thread may also have read the clock while it was advanced.
        try require(samples.count - before >= rounds, "\(samples.count - before) samples in \(rounds) rounds")
    }
}

private final class VerdictObservers: Rounds {
    static let name = "verdict observer: added and cancelled"

    private let registry = LifetimeRegistry(clock: ManualClock())

    func run(_ rounds: Int) {
        for _ in 0..<rounds { registry.observeVerdicts(.closure { _ in }).remove() }
    }
}

/// Verdicts of crowded tokens, which come and go with a registration.
private final class VerdictDeliveries: Rounds {
    static let name = "verdict observer: verdicts delivered"

    private static let batch = 100

    private let registry = LifetimeRegistry(clock: ManualClock())
    private let verdicts = Tally()

    init() throws {
        try registry.setTokenThreshold(0, event: "volume")
        registry.observeVerdicts(.closure { [verdicts] _ in verdicts.add() }).keep()
    }

    func run(_ rounds: Int) throws {
        let before = verdicts.count
        for _ in 0..<rounds / Self.batch {
            for _ in 0..<Self.batch {
                ObserverToken(.subscription, event: "volume", registry: registry, removal: {}).remove()
            }
            // Delivers the waiting verdicts, which would count as growth.
            registry.check()
        }
        try require(verdicts.count - before == rounds / Self.batch * Self.batch, "verdicts were not delivered")
    }
}

private final class HistoryObservers: Rounds {
    static let name = "history observer: added and ended"

    private let registry = LifetimeRegistry(clock: ManualClock())

    func run(_ rounds: Int) {
        for _ in 0..<rounds {
            let key = registry.observeSamples {}
            registry.stopObservingSamples(key)
        }
    }
}
