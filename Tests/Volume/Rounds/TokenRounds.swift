import LifetimeTracer

@MainActor let tokenRounds: [any Rounds.Type] = [
    TokenDeliveries.self, TokenLives.self, TokensLetGo.self, TokensOfAnOwner.self, BagInsertions.self, BagLives.self,
    TokenRemovalActions.self,
]

private final class TokenDeliveries: Rounds {
    static let name = "observer token: deliveries and reads of isInForce"

    private let token = ObserverToken(.subscription, event: "volume", removal: {})

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            token.recordDelivery()
            try require(token.isInForce, "the token was removed")
        }
    }
}

private final class TokenLives: Rounds {
    static let name = "observer token: made and removed"

    func run(_ rounds: Int) throws {
        let removals = Tally()
        for _ in 0..<rounds {
            let token = ObserverToken(.subscription, event: "volume") { removals.add() }
            token.remove()
        }
        try require(removals.count == rounds, "\(removals.count) removals in \(rounds) rounds")
    }
}

private final class TokensLetGo: Rounds {
    static let name = "observer token: made and let go"

    func run(_ rounds: Int) throws {
        let removals = Tally()
        for _ in 0..<rounds {
            _ = ObserverToken(.subscription, event: "volume") { removals.add() }
        }
        try require(removals.count == rounds, "\(removals.count) removals in \(rounds) rounds")
    }
}

private final class TokensOfAnOwner: Rounds {
    static let name = "observer token: made and removed for an owner that stays"

    private let owner = TracedObject()

    func run(_ rounds: Int) {
        for _ in 0..<rounds {
            ObserverToken(.subscription, event: "volume", owner: owner, removal: {}).remove()
        }
    }
}

private final class BagInsertions: Rounds {
    static let name = "registration bag: tokens put into a bag that stays"

    private let bag = RegistrationBag()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let token = ObserverToken(.subscription, event: "volume", removal: {})
            token.store(in: bag)
            token.remove()
        }
        try require(bag.count == 0, "tokens that were removed are in force")
    }
}

private final class BagLives: Rounds {
    static let name = "registration bag: made, filled and let go"

    func run(_ rounds: Int) throws {
        let removals = Tally()
        for _ in 0..<rounds {
            let bag = RegistrationBag()
            ObserverToken(.subscription, event: "volume") { removals.add() }.store(in: bag)
        }
        try require(removals.count == rounds, "\(removals.count) removals in \(rounds) rounds")
    }
}

private final class TokenRemovalActions: Rounds {
    static let name = "action on token removal: set, run and taken back"

    private let registry = LifetimeRegistry(clock: ManualClock())
    private let calls = Tally()

    init() {
        registry.onTokenRemoval(key: 1) { [calls] in calls.add() }
    }

    func run(_ rounds: Int) throws {
        let before = calls.count
        for _ in 0..<rounds {
            registry.onTokenRemoval(key: 2) { [calls] in calls.add() }
            ObserverToken(.subscription, event: "volume", registry: registry, removal: {}).remove()
            registry.removeTokenRemovalAction(2)
        }
        try require(calls.count - before == 2 * rounds, "\(calls.count - before) calls in \(rounds) rounds")
    }
}
