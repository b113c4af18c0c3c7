internal import LifetimeTracer

/// Enums, optionals, results, tuples and existentials.
@MainActor package enum ValueShapes {
    package static var holder: AnyObject?
    package static var single: Single?
    package static var multi = Multi.none
    package static var tree = Tree.leaf
    package static var twice: Screen??
    package static var result: Result<Screen, any Error>?
    package static var failure: (any Error)?
    package static var shown: (any Shown)?
    package static var bound: (any BoundShown)?
    package static var anything: Any?
    package static var pipe: (stream: AsyncStream<Screen>, continuation: AsyncStream<Screen>.Continuation)?
    package static var tuple: (Int, (name: String, screen: Screen?)) = (0, ("", nil))
    package static var sequence: (any Sequence<Screen>)?

    package enum Single {
        case none
        case some(Screen)
    }

    package enum Multi {
        case none
        case number(Int)
        case screen(Screen)
        case pair(Screen, text: String)
        case action(() -> Void)
    }

    package indirect enum Tree {
        case leaf
        case node(Tree, Screen, Tree)
        case action(name: String, () -> Void)
    }

    package struct Failure: Error {
        package let code = 404
        package let screen: Screen
    }

    package protocol Shown { var count: Int { get } }
    package protocol BoundShown: AnyObject { var taps: Int { get } }

    package struct Small: Shown {
        package let screen: Screen
        package var count: Int { screen.taps }
    }

    package struct Large: Shown {
        package let padding = (1, 2, 3, 4)
        package let screen: Screen
        package var count: Int { screen.taps }
    }

    static let all = [
        singlePayload, multiPayload, multiPayloadPair, multiPayloadClosure, indirectPayload, indirectClosure,
        optionalTwice,
        resultSuccess, resultFailure, errorBox, classBound, opaqueSmall, opaqueLarge, anyObject, anyStruct, anyEnum,
        tuplePayload, streamInTuple, parametrised, eitherPayload, existentialPayload,
    ]

    static let singlePayload = Shape("enum with one payload", .held(.global("ValueShapes.single"))) {
        let screen = DetailScreen()
        single = .some(screen)
        return Planted(screen) { single = nil }
    }

    static let multiPayload = Shape("enum with several payloads", .held(.global("ValueShapes.multi"))) {
        let screen = DetailScreen()
        multi = .screen(screen)
        return Planted(screen) { multi = .none }
    }

    static let multiPayloadPair = Shape(
        "enum payload in a class", .held(.global("ValueShapes.holder"), .object("MultiHolder"), .through("state"))
    ) {
        let screen = DetailScreen()
        holder = MultiHolder(.pair(screen, text: "a text that is longer than fifteen bytes"))
        return Planted(screen) { holder = nil }
    }

    static let multiPayloadClosure = Shape(
        "enum payload that is a closure",
        .held(.global("ValueShapes.holder"), .object("MultiHolder"), .through("state"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        holder = MultiHolder(.action { screen.taps += number })
        return Planted(screen) { holder = nil }
    }

    static let indirectPayload = Shape("indirect enum", .held(.global("ValueShapes.tree"))) {
        let screen = DetailScreen()
        tree = .node(.leaf, Screen(), .node(.node(.leaf, screen, .leaf), Screen(), .leaf))
        return Planted(screen) { tree = .leaf }
    }

    static let indirectClosure = Shape(
        "closure beside a text in an indirect case",
        .held(.global("ValueShapes.tree"), .through("action"), .closure("closure #1")).certain()
    ) {
        let screen = DetailScreen()
        tree = .node(.leaf, Screen(), .action(name: "tap") { [screen] in screen.tap() })
        return Planted(screen) { tree = .leaf }
    }

    static let optionalTwice = Shape("optional of an optional", .held(.global("ValueShapes.twice"))) {
        let screen = DetailScreen()
        twice = .some(.some(screen))
        return Planted(screen) { twice = .some(.none) }
    }

    static let resultSuccess = Shape("result", .held(.global("ValueShapes.result"))) {
        let screen = DetailScreen()
        result = .success(screen)
        return Planted(screen) { result = nil }
    }

    static let resultFailure = Shape("error in a result", .held(.global("ValueShapes.result"), .through("screen"))) {
        let screen = DetailScreen()
        result = .failure(Failure(screen: screen))
        return Planted(screen) { result = nil }
    }

    static let errorBox = Shape("error", .held(.global("ValueShapes.failure"), .through("screen"))) {
        let screen = DetailScreen()
        failure = Failure(screen: screen)
        return Planted(screen) { failure = nil }
    }

    static let classBound = Shape("existential of a class", .held(.global("ValueShapes.bound"))) {
        let screen = DetailScreen()
        bound = screen
        return Planted(screen) { bound = nil }
    }

    static let opaqueSmall = Shape("existential of a small struct", .held(.global("ValueShapes.shown"))) {
        let screen = DetailScreen()
        shown = Small(screen: screen)
        return Planted(screen) { shown = nil }
    }

    static let opaqueLarge = Shape(
        "existential of a large struct", .held(.global("ValueShapes.shown"), .through("screen"))
    ) {
        let screen = DetailScreen()
        shown = Large(screen: screen)
        return Planted(screen) { shown = nil }
    }

    static let anyObject = Shape("class as Any", .held(.global("ValueShapes.anything"))) {
        let screen = DetailScreen()
        anything = screen
        return Planted(screen) { anything = nil }
    }

    static let anyStruct = Shape("large struct as Any", .held(.global("ValueShapes.anything"), .through("screen"))) {
        let screen = DetailScreen()
        anything = Large(screen: screen)
        return Planted(screen) { anything = nil }
    }

    static let anyEnum = Shape("enum as Any in a class", .held(.global("ValueShapes.holder"), .object("AnyHolder"))) {
        let screen = DetailScreen()
        holder = AnyHolder(Multi.screen(screen))
        return Planted(screen) { holder = nil }
    }

    static let streamInTuple = Shape(
        "buffer of a stream in a tuple", .held(.global("ValueShapes.pipe"), .object("_Storage")).certain()
    ) {
        let screen = DetailScreen()
        let made = AsyncStream.makeStream(of: Screen.self)
        made.continuation.yield(screen)
        pipe = made
        return Planted(screen) { pipe = nil }
    }

    static let tuplePayload = Shape("tuple in a tuple", .held(.global("ValueShapes.tuple"))) {
        let screen = DetailScreen()
        tuple = (1, ("name", screen))
        return Planted(screen) { tuple.1.screen = nil }
    }

    static let parametrised = Shape(
        "existential with a type argument", .held(.global("ValueShapes.sequence"), .through("[1]"))
    ) {
        let screen = DetailScreen()
        sequence = [Screen(), screen]
        return Planted(screen) { sequence = nil }
    }

    static let eitherPayload = Shape(
        "generic enum", .held(.global("ValueShapes.holder"), .object("EitherHolder"), .through("either"))
    ) {
        let screen = DetailScreen()
        holder = EitherHolder<String, (Int, Screen)>(.right((1, screen)))
        return Planted(screen) { holder = nil }
    }

    static let existentialPayload = Shape(
        "existential as a payload",
        .held(.global("ValueShapes.holder"), .object("ExistentialHolder"), .through("state"))
    ) {
        let screen = DetailScreen()
        holder = ExistentialHolder(.failed(Failure(screen: screen)))
        return Planted(screen) { holder = nil }
    }
}

extension Screen: ValueShapes.BoundShown {}

private final class MultiHolder {
    let name = "multi"
    let state: ValueShapes.Multi

    init(_ state: ValueShapes.Multi) { self.state = state }
}

private final class AnyHolder {
    let value: Any

    init(_ value: Any) { self.value = value }
}

private enum Either<Left, Right> {
    case left(Left)
    case right(Right)
}

private final class EitherHolder<Left, Right> {
    let either: Either<Left, Right>

    init(_ either: Either<Left, Right>) { self.either = either }
}

private enum Loading {
    case idle
    case loaded([Screen], any ValueShapes.Shown)
    case failed(any Error)
}

private final class ExistentialHolder {
    let state: Loading

    init(_ state: Loading) { self.state = state }
}
