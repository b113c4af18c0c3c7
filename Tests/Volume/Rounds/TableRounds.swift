import LifetimeTracer

@MainActor let tableRounds: [any Rounds.Type] = [
    WeakKeyTableValues.self, WeakKeyTableKeys.self, WeakKeyTableLives.self, Marks.self, Snapshots.self,
]

private final class Value: Sendable {}

private final class WeakKeyTableValues: Rounds {
    static let name = "weak key table: values set, replaced and removed for a key that stays"

    private let table = WeakKeyTable<TracedObject, @Sendable () -> Value>()
    private let key = TracedObject()
    private let value = Value()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            table[key] = { [value] in value }
            table[key] = { [value] in value }
            try require(table[key]?() === value, "the value was lost")
            table[key] = nil
        }
        try require(table.count == 0, "\(table.count) values are left")
    }
}

private final class WeakKeyTableKeys: Rounds {
    static let name = "weak key table: values of keys that go"

    private let table = WeakKeyTable<TracedObject, Value>()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds { table[TracedObject()] = Value() }
        try require(table.count == 0, "\(table.count) values are left")
    }
}

private final class WeakKeyTableLives: Rounds {
    static let name = "weak key table: made, filled and let go before its key"

    private let key = TracedObject()

    func run(_ rounds: Int) {
        for _ in 0..<rounds {
            let table = WeakKeyTable<TracedObject, Value>()
            table[key] = Value()
        }
    }
}

private final class Marks: Rounds {
    static let name = "mark: set, looked up and dropped"

    private let registry = LifetimeRegistry(clock: ManualClock())

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            try registry.setMark("volume")
            _ = try registry.mark(named: "volume")
            try registry.removeMark("volume")
        }
    }
}

private final class Snapshots: Rounds {
    static let name = "snapshot: taken and read"
    static let count = RoundCount.fewer(100_000, because: "each is a snapshot and a summary, some 30 µs")

    private let registry = LifetimeRegistry(clock: ManualClock())
    private let object: TracedObject

    init() {
        object = registry.withCurrent { TracedObject() }
    }

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let snapshot = registry.snapshot()
            try require(snapshot.instances.count == 1, "\(snapshot.instances.count) instances")
            _ = registry.summary()
        }
    }
}
