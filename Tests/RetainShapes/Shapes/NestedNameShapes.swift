// Values in values in values: each property on the way must be part of the path.

/// Optionals, enums, existentials and boxes, nested more than two levels deep.
@MainActor package enum NestedNameShapes {
    package static var shop: AnyObject?
    package static var session: Session?
    package static var sessions: [String: Session?] = [:]
    package static var boxed: [any Sendable] = []
    package static var failure: Result<Int, any Error>?

    package struct Session {
        var cart = Cart.empty
        var user = "user"
        var hints: Hints?
        var pair: (Int, note: Hints?)?
    }

    package enum Cart {
        case empty
        case filled(Record)
        case failed(code: Int, any Error)
        indirect case saved(Record)
    }

    package struct Record {
        var lines = 3
        var screen: Screen?
    }

    package struct Hints {
        var text = ""
        var anchor: Screen?
    }

    private final class Shop {
        var first: Session?
        var plain = Session()
    }

    private final class Store<State> {
        var state: State

        init(_ state: State) { self.state = state }
    }

    private struct Deep<Inner> {
        var number = 1
        var inner: Inner?
    }

    private struct Problem: Error {
        var code = (1, 2, 3)
        var session: Session?
    }

    private enum Loading<Value> {
        case idle
        case running(since: Int)
        case ended(Result<Value, any Error>)
    }

    static let all = [
        optionalInOptional, enumInOptional, tupleInOptional, indirectCase, enumWithoutOptional, genericState,
        sixLevels, variable, dictionaryValue, existentialBox, tupleInABox, chainOfResponders, closureBehindResponders,
        errorInEnum,
        errorInVariable, caseInProperty, caseOfResult, caseInElement,
    ]

    private static func held(
        _ name: String, by variable: String = "shop", _ path: StepPattern...,
        set: @escaping @MainActor @Sendable (Screen?) -> Void
    ) -> Shape {
        let root = StepPattern.global("NestedNameShapes.\(variable)")
        return Shape("nested values: \(name)", Expectation(status: .reachable, path: [root] + path)) {
            let made = DetailScreen()
            set(made)
            return Planted(made) { set(nil) }
        }
    }

    private static func shop(_ change: (Shop) -> Void) {
        let made = Shop()
        change(made)
        shop = made
    }

    private static let optionalInOptional = held(
        "an optional struct in an optional struct", .object("Shop"), .through(".first.hints.anchor")
    ) { made in
        shop { $0.first = Session(hints: Hints(anchor: made)) }
    }

    private static let enumInOptional = held(
        "an enum in an optional struct", .object("Shop"), .through(".first.cart.filled.screen")
    ) { made in
        shop { $0.first = Session(cart: .filled(Record(screen: made))) }
    }

    private static let tupleInOptional = held(
        "an optional tuple with an optional struct", .object("Shop"), .through(".first.pair.note.anchor")
    ) { made in
        shop { $0.first = Session(pair: (1, Hints(anchor: made))) }
    }

    private static let indirectCase = held(
        "an indirect case", .object("Shop"), .through(".first.cart.saved"), .through(".screen")
    ) { made in
        shop { $0.first = Session(cart: .saved(Record(screen: made))) }
    }

    private static let enumWithoutOptional = held(
        "an enum in a struct", .object("Shop"), .through(".plain.cart.filled.screen")
    ) { made in
        shop { $0.plain.cart = .filled(Record(screen: made)) }
    }

    private static let genericState = held(
        "the state of a generic class", .object("Store"), .through(".state.inner.first.hints.anchor")
    ) { made in
        let state = Deep(inner: (first: Session?.some(Session(hints: Hints(anchor: made))), second: 2))
        shop = Store(state)
    }

    private static let sixLevels = held(
        "six optional structs", .object("Store"), .through(".state.inner.inner.inner.inner.inner.cart.filled.screen")
    ) { made in
        let session = Session(cart: .filled(Record(screen: made)))
        shop = Store(Deep(inner: Deep(inner: Deep(inner: Deep(inner: Deep(inner: session))))))
    }

    private static let variable = held("a variable", by: "session", .member(".pair.note.anchor")) { made in
        session = made.map { Session(pair: (1, Hints(anchor: $0))) }
    }

    private static let dictionaryValue = held(
        "the value of a dictionary", by: "sessions", .through("[\"ann\"].cart.filled.screen")
    ) { made in
        sessions["ann"] = made.map { .some(Session(cart: .filled(Record(screen: $0)))) }
    }

    private static let existentialBox = held(
        "the box of an existential", by: "boxed", .through("[1]"), .through(".hints.anchor")
    ) { made in
        boxed = made.map { [1, SentSession(hints: Hints(anchor: $0))] } ?? []
    }

    private static let tupleInABox = held(
        "a tuple in the box of an existential", by: "boxed", .through("[0]"), .through(".2")
    ) { made in
        boxed = made.map { [(1, "a text", $0)] } ?? []
    }

    private static let chainOfResponders = held(
        "existentials in boxes", .object("Application"), .through(".responder"), .through(".next"), .through(".next"),
        .through(".middleware.cache")
    ) { made in
        let last = Chained(middleware: Caching(cache: made), next: Ending { 1 })
        let first = Chained(middleware: Logging(level: 1), next: last)
        shop = Application(Chained(middleware: Logging(level: 2), next: first))
    }

    private static let closureBehindResponders = held(
        "a function in a box", .object("Application"), .through(".responder"), .through(".next.closure")
    ) { made in
        guard let made else {
            shop = nil
            return
        }
        shop = Application(Chained(middleware: Logging(level: 2), next: Ending(closure: made.tapped)))
    }

    private static let errorInEnum = held(
        "an error in an enum", .object("Shop"), .through(".plain.cart.failed.1"), .through(".session.hints.anchor")
    ) { made in
        let problem = Problem(session: Session(hints: Hints(anchor: made)))
        shop { $0.plain.cart = .failed(code: 3, problem) }
    }

    private static let errorInVariable = held(
        "an error in a result", by: "failure", .through(".session.cart.filled.screen")
    ) { made in
        failure = made.map { .failure(Problem(session: Session(cart: .filled(Record(screen: $0))))) }
    }

    private static let caseInProperty = held(
        "a case in a case", .object("Store"), .through(".state.ended.success.anchor")
    ) { made in
        shop = Store(Loading<Hints>.ended(.success(Hints(anchor: made))))
    }

    private static let caseOfResult = held(
        "an array in a result", .object("Store"), .through(".state.success"), .through("[0]")
    ) { made in
        shop = Store(Result<[Screen], any Error>.success(made.map { [$0] } ?? []))
    }

    private static let caseInElement = held(
        "an element with a case in a property", .object("Store"), .through(".state"), .through("[1].cart.filled.screen")
    ) { made in
        shop = Store([Session(), Session(cart: .filled(Record(screen: made)))])
    }
}

extension Screen {
    @inline(never)
    fileprivate final func tapped() -> Int { taps }
}

/// A session that may be sent, for an array of sendable values.
private struct SentSession: Sendable {
    var numbers = (1, 2, 3)
    var hints: SentHints?

    init(hints: NestedNameShapes.Hints) { self.hints = SentHints(anchor: hints.anchor) }
}

private struct SentHints: Sendable {
    var text = ""
    var anchor: Screen?
}

private protocol Responding {
    func respond() -> Int
}

private protocol Acting {
    func act(_ next: any Responding) -> Int
}

private final class Application {
    var responder: (any Responding)?

    init(_ responder: any Responding) { self.responder = responder }
}

private struct Chained: Responding {
    let middleware: any Acting
    let next: any Responding

    func respond() -> Int { middleware.act(next) }
}

private struct Ending: Responding {
    let closure: () -> Int

    func respond() -> Int { closure() }
}

private struct Logging: Acting {
    let level: Int

    func act(_ next: any Responding) -> Int { next.respond() + level }
}

private struct Caching<Cache>: Acting {
    let cache: Cache

    func act(_ next: any Responding) -> Int { next.respond() }
}
