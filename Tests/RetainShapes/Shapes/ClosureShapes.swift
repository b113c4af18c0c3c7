/// Closures that retain their captures.
@MainActor package enum ClosureShapes {
    package static var onTap: (() -> Void)?
    package static var transform: ((Int) throws -> String)?
    package static var handlers: [() -> Void] = []
    package static var byName: [String: [(Int) -> Void]] = [:]
    package static var load: (@Sendable () async -> Void)?
    package static var anything: Any?
    package static var reader: ((Screen) -> Int)?
    package static var hub = Hub()

    /// A list of (type, closure) pairs.
    package final class Hub {
        package var subs: [(String, (String) -> Void)] = []
    }

    static let all = [
        one, two, hubPair, nested, weakThenStrong, partial, partialGeneric, autoclosure, box, sharedBox, structure,
        existential,
        dictionary, reabstracted, asynchronous, recursive, keyPathFunction, optionalFunction, sendable,
    ]

    static let one = Shape(
        "closure with one capture", .held(.global("ClosureShapes.onTap"), .closure("in DetailScreen."))
    ) {
        let screen = DetailScreen()
        onTap = screen.makeHandler()
        return Planted(screen) { onTap = nil }
    }

    static let two = Shape(
        "closure with two captures", .held(.global("ClosureShapes.onTap"), .closure("in DetailScreen."))
    ) {
        let screen = DetailScreen()
        onTap = screen.makeHandler(with: Screen(), and: 3)
        return Planted(screen) { onTap = nil }
    }

    static let hubPair = Shape(
        "hub of pairs",
        .held(.global("ClosureShapes.hub"), .through("subs"), .through("[2].1"), .closure("closure #2"))
    ) {
        let screen = DetailScreen()
        hub.subs = [("a", { _ in }), ("b", { _ in })]
        screen.subscribeTwice(to: hub)
        return Planted(screen) { hub.subs = [] }
    }

    static let nested = Shape(
        "closure in a closure", .held(.global("ClosureShapes.onTap"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        let inner = { screen.taps += number }
        onTap = { for _ in 0..<number { inner() } }
        return Planted(screen) { onTap = nil }
    }

    static let weakThenStrong = Shape(
        "weak capture, strong one inside",
        .held(.global("ClosureShapes.handlers"), .through("[0]"), .closure("closure #1")),
        using: ["ClosureShapes.onTap"]
    ) {
        let screen = DetailScreen()
        let start = { [weak screen] in
            guard let screen else { return }
            let number = screen.taps + 1
            handlers.append { screen.taps += number }
        }
        start()
        onTap = start
        return Planted(screen) {
            handlers = []
            onTap = nil
        }
    }

    static let partial = Shape("partial application", .held(.global("ClosureShapes.onTap"))) {
        let screen = DetailScreen()
        onTap = screen.tap
        return Planted(screen) { onTap = nil }
    }

    static let partialGeneric = Shape(
        "partial application of a generic function", .held(.global("ClosureShapes.transform"))
    ) {
        let screen = DetailScreen()
        transform = bind(describe, screen)
        return Planted(screen) { transform = nil }
    }

    static let autoclosure = Shape("autoclosure", .held(.global("ClosureShapes.handlers"), .through("[0]"))) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        keepLater(screen.add(number))
        return Planted(screen) { handlers = [] }
    }

    static let box = Shape("captured variable", .held(.global("ClosureShapes.onTap"))) {
        var current: Screen? = DetailScreen()
        let planted = Planted(current ?? Screen()) { onTap = nil }
        onTap = {
            current?.tap()
            current = current?.next ?? current
        }
        return planted
    }

    static let sharedBox = Shape(
        "captured variable of two closures", .held(.global("ClosureShapes.handlers"), .through("[0]"))
    ) {
        var current = [DetailScreen()]
        let planted = Planted(current[0]) { handlers = [] }
        handlers = [{ current.removeAll() }, { current[0].tap() }]
        return planted
    }

    static let structure = Shape("captured struct", .held(.global("ClosureShapes.onTap"), .closure("closure #1"))) {
        let screen = DetailScreen()
        let route = Route(name: "detail", stops: [1, 2], target: screen)
        onTap = { route.target.title += route.name }
        return Planted(screen) { onTap = nil }
    }

    static let existential = Shape(
        "captured existential", .held(.global("ClosureShapes.onTap"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let tappable: any Tappable = Tap(times: 2, pause: 3, target: screen)
        onTap = { tappable.perform() }
        return Planted(screen) { onTap = nil }
    }

    static let dictionary = Shape(
        "closures in arrays in a dictionary",
        .held(.global("ClosureShapes.byName"), .through("[\"didLoad\"]"), .through("[1]"), .closure("closure #2"))
    ) {
        let screen = DetailScreen()
        let factor = screen.taps + 2
        byName["didLoad"] = [{ _ in }, { screen.taps += $0 * factor }]
        return Planted(screen) { byName = [:] }
    }

    static let reabstracted = Shape("closure as Any", .held(.global("ClosureShapes.anything"))) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        let add: (Int) -> Int = {
            screen.taps += $0 + number
            return screen.taps
        }
        anything = add
        return Planted(screen) { anything = nil }
    }

    static let asynchronous = Shape("async closure", .held(.global("ClosureShapes.load"), .closure("closure #1"))) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        load = { screen.taps += number }
        return Planted(screen) { load = nil }
    }

    static let recursive = Shape("local function", .held(.global("ClosureShapes.onTap"))) {
        let screen = DetailScreen()
        let limit = screen.taps + 3
        func again() {
            screen.tap()
            if screen.taps < limit { again() }
        }
        onTap = again
        return Planted(screen) { onTap = nil }
    }

    static let keyPathFunction = Shape("key path as a function", .held(.global("ClosureShapes.reader"))) {
        let screen = DetailScreen()
        let path = \Screen.[counter: screen]
        reader = { $0[keyPath: path] }
        return Planted(screen) { reader = nil }
    }

    static let optionalFunction = Shape(
        "closure in an optional of an optional", .held(.global("ClosureShapes.anything"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        anything = FunctionHolder { screen.taps += number }
        return Planted(screen) { anything = nil }
    }

    static let sendable = Shape("closure of two screens", .held(.global("ClosureShapes.load"), .closure("closure #1")))
    {
        let first = Screen()
        let second = DetailScreen()
        load = { first.next = second }
        return Planted(second) { load = nil }
    }
}

/// Holds a doubly optional closure.
private final class FunctionHolder {
    let function: (() -> Void)??

    init(_ function: @escaping () -> Void) { self.function = .some(.some(function)) }
}

private struct Route {
    let name: String
    let stops: [Int]
    let target: Screen
}

private protocol Tappable {
    func perform()
}

private struct Tap: Tappable {
    let times: Int
    let pause: Int
    let target: Screen

    func perform() { for _ in 0..<times { target.tap() } }
}

extension Screen {
    /// A subscript, so that a key path to it stores its argument.
    fileprivate subscript(counter other: Screen) -> Int { taps + other.taps }
}

extension DetailScreen {
    fileprivate func add(_ number: Int) { taps += number }

    @inline(never)
    fileprivate func makeHandler() -> () -> Void { { self.tap() } }

    @inline(never)
    fileprivate func makeHandler(with other: Screen, and number: Int) -> () -> Void {
        {
            self.taps += number
            other.tap()
        }
    }

    @inline(never)
    fileprivate func subscribeTwice(to hub: ClosureShapes.Hub) {
        let none: (String) -> Void = { _ in }
        hub.subs[1].1 = none
        hub.subs.append(("c", { [identifier] in self.title = $0 + "\(identifier)" }))
    }
}

@MainActor @inline(never)
private func keepLater(_ action: @autoclosure @escaping () -> Void) {
    ClosureShapes.handlers = [action]
}

@inline(never)
private func describe(_ screen: DetailScreen, _ number: Int) throws -> String { screen.title + "\(number)" }

@inline(never)
private func bind<First, Second, Result>(
    _ function: @escaping (First, Second) throws -> Result, _ first: First
) -> (Second) throws -> Result {
    { try function(first, $0) }
}
