internal import LifetimeTracer

/// Cycles and over-retained objects.
@MainActor package enum CycleShapes {
    private static let sleepingLoop = SleepingRunLoop()

    static let all = [
        ownClosure, ownClosureOfTwo, parentAndChild, three, itself, dictionaryCycle, boxCycle, delegateCycle, leaked,
        leakedBeside, leakedFar, lazyClosure, boundMethod, subscriptionCycle, enumCycle, once, thrice, besideAHolder,
        byHand, besideARunLoop,
    ]

    static let ownClosure = Shape(
        "closure in an own property", .cycle(.object("DetailScreen"), .through("onDone")).hinting(.ownClosure)
    ) {
        let screen = DetailScreen()
        screen.onDone = { screen.tap() }
        let hidden = Hidden(screen)
        return Planted(screen) { hidden.object.onDone = nil }
    }

    static let ownClosureOfTwo = Shape(
        "closure of two captures in an own property",
        .cycle(.object("DetailScreen"), .through("onDone"), .closure("closure #1")).hinting(.ownClosure)
    ) {
        let screen = DetailScreen()
        let other = Screen()
        screen.onDone = {
            screen.tap()
            other.tap()
        }
        let hidden = Hidden(screen)
        return Planted(screen) { hidden.object.onDone = nil }
    }

    static let parentAndChild = Shape(
        "parent and child",
        .cycle(.object("ChildCoordinator"), .through("parent"), .object("ParentCoordinator"), .through("children"))
            .hinting(.parentAndChild)
    ) {
        let parent = ParentCoordinator()
        let child = ChildCoordinator(parent)
        parent.children = [child]
        let hidden = Hidden(child)
        return Planted(child) { hidden.object.parent = nil }
    }

    static let three = Shape(
        "ring of three", .cycle(.object("DetailScreen"), .through("next"), .through("next"), .through("next"))
    ) {
        let first = DetailScreen()
        let second = Screen()
        let third = Screen()
        first.next = second
        second.next = third
        third.next = first
        let hidden = Hidden(first)
        return Planted(first) { hidden.object.next = nil }
    }

    static let itself = Shape("itself", .cycle(.object("DetailScreen"), .through("next"))) {
        let screen = DetailScreen()
        screen.next = screen
        let hidden = Hidden(screen)
        return Planted(screen) { hidden.object.next = nil }
    }

    static let dictionaryCycle = Shape(
        "cycle through a dictionary", .cycle(.object("Router"), .through("routes"), .through("[\"home\"]"))
    ) {
        let router = Router()
        let number = router.routes.count + 1
        router.routes["home"] = { router.calls += number }
        let hidden = Hidden(router)
        return Planted(router) { hidden.object.routes = [:] }
    }

    static let boxCycle = Shape(
        "cycle through a captured variable", .cycle(.object("DetailScreen"), .through("onDone"))
    ) {
        var current: Screen? = DetailScreen()
        let hidden = Hidden(current ?? Screen())
        let planted = Planted(hidden.object) { hidden.object.onDone = nil }
        hidden.object.onDone = {
            current?.tap()
            current = current?.next ?? current
        }
        return planted
    }

    static let delegateCycle = Shape(
        "strong delegate", .cycle(.object("Picker"), .through("delegate"), .object("PickerOwner"), .through("picker"))
    ) {
        let owner = PickerOwner()
        owner.picker.delegate = owner
        let hidden = Hidden(owner.picker)
        return Planted(owner.picker) { hidden.object.delegate = nil }
    }

    static let leaked = Shape("held by a cycle", .leakedByCycle(.object("Screen"), .through("next"))) {
        let first = Screen()
        let second = Screen()
        let victim = DetailScreen()
        first.next = second
        second.next = first
        second.children = [Screen(), victim]
        let hidden = Hidden(first)
        return Planted(victim) { hidden.object.next = nil }
    }

    static let leakedBeside = Shape(
        "held by a collection through which a cycle goes",
        .leakedByCycle(.object("Team"), .through("players"), .object("Player"), .through("team"))
    ) {
        let team = Team()
        let victim = Player()
        team.players = [Player(), victim]
        team.players[0].team = team
        let hidden = Hidden(team)
        return Planted(victim) { hidden.object.players = [] }
    }

    static let leakedFar = Shape(
        "held by what a closure cycle holds", .leakedByCycle(.object("Screen"), .through("onDone"))
    ) {
        let first = Screen()
        let middle = Screen()
        let victim = DetailScreen()
        first.onDone = { first.tap() }
        first.next = middle
        middle.next = victim
        let hidden = Hidden(first)
        return Planted(victim) { hidden.object.onDone = nil }
    }

    static let lazyClosure = Shape("lazy closure", .cycle(.object("Formatter"), .through("format"))) {
        let formatter = Formatter()
        _ = formatter.format(1)
        let hidden = Hidden(formatter)
        return Planted(formatter) { hidden.object.format = { "\($0)" } }
    }

    static let boundMethod = Shape("own method in an own property", .cycle(.object("DetailScreen"), .through("onDone")))
    {
        let screen = DetailScreen()
        screen.onDone = screen.tap
        let hidden = Hidden(screen)
        return Planted(screen) { hidden.object.onDone = nil }
    }

    static let subscriptionCycle = Shape(
        "observer in an own hub", .cycle(.object("Model"), .through("changes"))
    ) {
        let model = Model()
        model.bind()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.changes.removeAll() }
    }

    static let enumCycle = Shape("cycle through an enum", .cycle(.object("Stateful"), .through("state"))) {
        let stateful = Stateful()
        stateful.state = .waiting(stateful, since: 3)
        let hidden = Hidden(stateful)
        return Planted(stateful) { hidden.object.state = .idle }
    }

    static let once = Shape("retained once too often", .overRetained(1)) {
        let screen = DetailScreen()
        let hidden = Hidden(retaining: screen, times: 1)
        return Planted(screen) { hidden.release(times: 1) }
    }

    static let thrice = Shape("retained three times too often", .overRetained(3)) {
        let screen = DetailScreen()
        let hidden = Hidden(retaining: screen, times: 3)
        return Planted(screen) { hidden.release(times: 3) }
    }

    static let besideARunLoop = Shape(
        "retained too often, and referred to by unused memory of a run loop", .overRetained(1)
    ) {
        let screen = DetailScreen()
        let hidden = Hidden(retaining: screen, times: 1)
        sleepingLoop.leave(address: addressOf(screen))
        return Planted(screen) {
            sleepingLoop.leave(address: 0)
            hidden.release(times: 1)
        }
    }

    static let besideAHolder = Shape(
        "retained too often beside a holder",
        .held(.global("RootShapes.screen")).references(2, unexplained: 1).orGuessed()
    ) {
        let screen = DetailScreen()
        let hidden = Hidden(retaining: screen, times: 1)
        RootShapes.screen = screen
        return Planted(screen) {
            RootShapes.screen = nil
            hidden.release(times: 1)
        }
    }

    static let byHand = Shape(
        "retained by hand for a property",
        .held(.global("RootShapes.handle"), .object("Handle"), .through("current"))
    ) {
        let screen = DetailScreen()
        RootShapes.handle = Handle(screen)
        return Planted(screen) {
            // Balances the retain in the initializer.
            RootShapes.handle?.current?.release()
            RootShapes.handle = nil
        }
    }
}

/// Retains the referenced object by hand, like a handle that is passed to C.
package final class Handle {
    let number = 3
    let current: Unmanaged<Screen>?

    init(_ screen: Screen) { current = .passRetained(screen) }
}

private final class Team {
    var players: [Player] = []
}

private final class Player: TracedObject {
    var team: Team?
}

private final class ParentCoordinator {
    var children: [ChildCoordinator] = []
}

private final class ChildCoordinator: TracedObject {
    var parent: ParentCoordinator?

    init(_ parent: ParentCoordinator) {
        self.parent = parent
        super.init()
    }
}

private final class Router: TracedObject {
    var routes: [String: () -> Void] = [:]
    var calls = 0
}

private protocol PickerDelegate: AnyObject {}

private final class Picker: TracedObject {
    var delegate: (any PickerDelegate)?
}

private final class PickerOwner: PickerDelegate {
    let picker = Picker()
}

private final class Formatter: TracedObject {
    var digits = 2
    lazy var format: (Int) -> String = { number in "\(number).\(self.digits)" }
}

private final class Model: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because nothing is ever sent.
    let changes = ObserverHub<Int>(event: "changes")
    private var seen = 0

    func bind() {
        changes.observe(owner: self) { self.seen += $0 }?.keep()
    }
}

private final class Stateful: TracedObject {
    enum State {
        case idle
        case waiting(Stateful, since: Int)
        case failed(any Error)
    }

    var state = State.idle
}
