import Dispatch
import LifetimeTracer

@MainActor let hubRounds: [any Rounds.Type] = [
    HubDeliveries.self, HubDeliveriesOnMainActor.self, HubDeliveriesOnQueue.self, HubForAnOwnerThatStays.self,
    HubForOwnersThatGo.self, HubTokens.self, HubLives.self, HubKeepingFirst.self, HubReplacing.self,
]

private final class Screen: TracedObject {}

private final class HubDeliveries: Rounds {
    static let name = "hub: values sent to a registration"

    private let hub = ObserverHub<Int>(event: "volume")
    private let owner = Screen()
    private let calls = Tally()

    init() {
        hub.observe(owner: owner) { [calls] _ in calls.add() }?.keep(for: owner)
    }

    func run(_ rounds: Int) throws {
        let before = calls.count
        for round in 0..<rounds { hub.send(round) }
        try require(calls.count - before == rounds, "\(calls.count - before) deliveries in \(rounds) rounds")
    }
}

private final class HubDeliveriesOnMainActor: Rounds {
    static let name = "hub: values sent to a registration of the main actor"

    private let hub = ObserverHub<Int>(event: "volume")
    private let owner = Screen()
    private let calls = Tally()

    init() {
        hub.observe(owner: owner, onMainActor: { [calls] _ in calls.add() })?.keep(for: owner)
    }

    func run(_ rounds: Int) throws {
        let before = calls.count
        for round in 0..<rounds { hub.send(round) }
        try require(calls.count - before == rounds, "\(calls.count - before) deliveries in \(rounds) rounds")
    }
}

private final class HubDeliveriesOnQueue: Rounds {
    static let name = "hub: values sent to a queue"
    static let libraryCaches = dispatchCaches

    private let queue = DispatchQueue(label: "volume")
    private let hub: ObserverHub<Int>
    private let owner = Screen()
    private let calls = Tally()

    init() {
        hub = ObserverHub(event: "volume", delivery: .asynchronous(queue))
        hub.observe(owner: owner) { [calls] _ in calls.add() }?.keep(for: owner)
    }

    func run(_ rounds: Int) throws {
        let before = calls.count
        for round in 1...rounds {
            hub.send(round)
            // Values that wait on the queue are not leaked, and Dispatch keeps memory for the largest number of waiting
            // values.
            if round.isMultiple(of: 50) { queue.sync {} }
        }
        queue.sync {}
        try require(calls.count - before == rounds, "\(calls.count - before) deliveries in \(rounds) rounds")
    }
}

private final class HubForAnOwnerThatStays: Rounds {
    static let name = "hub: registrations made and removed for an owner that stays"

    private let hub = ObserverHub<Int>(event: "volume")
    private let owner = Screen()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds { hub.observe(owner: owner) { _ in }?.remove() }
        try require(hub.count == 0, "\(hub.count) registrations are left")
    }
}

private final class HubForOwnersThatGo: Rounds {
    static let name = "hub: registrations that end with their owners"

    private let hub = ObserverHub<Int>(event: "volume")

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let screen = Screen()
            hub.observe(owner: screen) { _ in }?.keep(for: screen)
        }
        try require(hub.count == 0, "\(hub.count) registrations are left")
    }
}

private final class HubTokens: Rounds {
    static let name = "hub: registrations that end with their tokens"

    private let hub = ObserverHub<Int>(event: "volume")
    private let owner = Screen()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds { _ = hub.observe(owner: owner) { _ in } }
        try require(hub.count == 0, "\(hub.count) registrations are left")
    }
}

private final class HubLives: Rounds {
    static let name = "hub: made, observed until it goes, and let go"

    private let owner = Screen()

    func run(_ rounds: Int) {
        for _ in 0..<rounds {
            let hub = ObserverHub<Int>(event: "volume")
            hub.observe(owner: owner) { _ in }?.keep()
        }
    }
}

private final class HubKeepingFirst: Rounds {
    static let name = "hub: registrations refused because the first is kept"

    private let hub = ObserverHub<Int>(event: "volume", policy: .keepFirst)
    private let owner = Screen()

    init() {
        hub.observe(owner: owner) { _ in }?.keep(for: owner)
    }

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            try require(hub.observe(owner: owner) { _ in } == nil, "a second registration was kept")
        }
    }
}

private final class HubReplacing: Rounds {
    static let name = "hub: registrations replaced by owner"

    private let hub = ObserverHub<Int>(event: "volume", policy: .replaceByOwner)
    private let owner = Screen()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds { hub.observe(owner: owner) { _ in }?.keep(for: owner) }
        try require(hub.count == 1, "\(hub.count) registrations")
    }
}
