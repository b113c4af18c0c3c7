import LifetimeTracer

@MainActor let objectRounds: [any Rounds.Type] = [
    ObjectLives.self, LifetimeTokenLives.self, AnnotatedObjectLives.self, Annotations.self, NodeLives.self,
    NodeMoves.self, Presentations.self, DeadlinesCancelled.self, DeadlinesMet.self, DeadlinesMissed.self,
    DeathActionsTakenBack.self, DeathActionsRun.self,
]

private final class ObjectLives: Rounds {
    static let name = "traced object: made and let go"

    func run(_ rounds: Int) {
        for _ in 0..<rounds { _ = TracedObject() }
    }
}

private final class LifetimeTokenLives: Rounds {
    static let name = "lifetime token: made and let go with its holder"

    private final class Holder {
        let lifetimeToken = LifetimeToken(of: Holder.self)
    }

    func run(_ rounds: Int) {
        for _ in 0..<rounds { _ = Holder() }
    }
}

private final class AnnotatedObjectLives: Rounds {
    static let name = "annotations: objects with a label and an owner, made and let go"

    private let owner = TracedObject()

    func run(_ rounds: Int) {
        for _ in 0..<rounds { _ = TracedObject(label: "volume", owner: owner) }
    }
}

private final class Annotations: Rounds {
    static let name = "annotations: label, owner and exemption of an object that stays"

    private let owner = TracedObject()
    private let node = TracedNode()

    func run(_ rounds: Int) {
        for _ in 0..<rounds {
            node.setLifetimeLabel("volume")
            node.setLifetimeOwner(owner)
            node.exemptFromLeavingDeadline(because: "volume")
            node.removeExemption()
            node.setLifetimeOwner(nil)
            node.setLifetimeLabel(nil)
        }
    }
}

private final class NodeLives: Rounds {
    static let name = "node: children made, added and let go with their parent"

    private let clock = ManualClock()
    private let registry: LifetimeRegistry

    init() {
        registry = LifetimeRegistry(clock: clock)
    }

    func run(_ rounds: Int) {
        registry.withCurrent {
            for _ in 0..<rounds {
                let parent = TracedNode()
                parent.addChild(TracedNode())
            }
        }
    }
}

private final class NodeMoves: Rounds {
    static let name = "node: a child that leaves its parent and comes back"

    private let registry = LifetimeRegistry(clock: ManualClock())
    private let parent: TracedNode
    private let child: TracedNode

    init() {
        (parent, child) = registry.withCurrent { (TracedNode(), TracedNode()) }
    }

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            parent.addChild(child)
            child.removeFromParent()
        }
        try require(parent.children.isEmpty, "the parent has children")
    }
}

private final class Presentations: Rounds {
    static let name = "node: presented and dismissed"

    private let registry = LifetimeRegistry(clock: ManualClock())
    private let presenter: TracedNode

    init() {
        presenter = registry.withCurrent { TracedNode() }
    }

    func run(_ rounds: Int) {
        registry.withCurrent {
            for _ in 0..<rounds {
                presenter.present(TracedNode())
                presenter.dismiss()
            }
        }
    }
}

private final class DeadlinesCancelled: Rounds {
    static let name = "deadline: set and cancelled for an object that stays"

    private let registry = LifetimeRegistry(clock: ManualClock())
    private let object: TracedObject

    init() {
        object = registry.withCurrent { TracedObject() }
    }

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let deadline = try registry.expectDeallocation(of: object, within: .seconds(1), because: "volume")
            try require(deadline.remove(), "the deadline was not in force")
        }
    }
}

private final class DeadlinesMet: Rounds {
    static let name = "deadline: set for objects that go in time"

    private let registry = LifetimeRegistry(clock: ManualClock())

    func run(_ rounds: Int) throws {
        try registry.withCurrent {
            for _ in 0..<rounds {
                try registry.expectDeallocation(of: TracedObject(), within: .seconds(1), because: "volume")
            }
        }
        try require(registry.summary().late == 0, "an object went late")
    }
}

private final class DeadlinesMissed: Rounds {
    static let name = "deadline: set for objects that become overdue and go late"

    private static let batch = 100

    private let clock = ManualClock()
    private let registry: LifetimeRegistry
    private let verdicts = Tally()

    init() {
        registry = LifetimeRegistry(clock: clock)
        registry.observeVerdicts(.closure { [verdicts] _ in verdicts.add() }).keep()
    }

    func run(_ rounds: Int) throws {
        let before = verdicts.count
        let batches = rounds / Self.batch
        for _ in 0..<batches {
            var objects: [TracedObject] = []
            try registry.withCurrent {
                for _ in 0..<Self.batch {
                    let object = TracedObject()
                    try registry.expectDeallocation(of: object, within: .seconds(1), because: "volume")
                    objects.append(object)
                }
            }
            clock.advance(by: .seconds(2))
            registry.check()
            objects = []
            registry.check()
        }
        let found = verdicts.count - before
        try require(found == 2 * batches * Self.batch, "\(found) verdicts in \(rounds) rounds")
    }
}

private final class DeathActionsTakenBack: Rounds {
    static let name = "action on death: set and taken back for an object that stays"

    private let object = TracedObject()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds {
            let key = object.lifetimeRegistry.onDeath(of: object.lifetimeID) {}
            guard let key else { throw RoundFailure("the object is not live") }
            object.lifetimeRegistry.removeDeathAction(key, of: object.lifetimeID)
        }
    }
}

private final class DeathActionsRun: Rounds {
    static let name = "action on death: run when objects go"

    func run(_ rounds: Int) throws {
        let calls = Tally()
        for _ in 0..<rounds {
            let object = TracedObject()
            _ = object.lifetimeRegistry.onDeath(of: object.lifetimeID) { calls.add() }
        }
        try require(calls.count == rounds, "\(calls.count) calls in \(rounds) rounds")
    }
}
