internal import LifetimeTracer
import RegexBuilder
import Synchronization

/// Patterns of applications: registries, middleware, caches and trees that a program writes itself.
@MainActor package enum PatternShapes {
    package static let emitter = Emitter()
    package static let container = Services()
    package static var chain: ((Int) -> Int)?
    package static var recent: RecentlyUsed?
    package static var memo: ((Int) -> Screen)?
    package static var router = RouteNode()
    package static var view: (any ViewNode)?
    package static var iterator: AnyIterator<Screen>?
    package static var document = Document()
    private static let waiters = Mutex<[Int: @Sendable (Result<Int, Failure>) -> Void]>([:])
    package static var storage = Storage()
    package static var callbacks = CallbackList()
    private static var pattern: Regex<(Substring, Int)>?
    package static var owner: AnyObject?
    package static var table: UnsafeMutablePointer<Entry>?

    private struct Failure: Error {}

    package struct Entry {
        var id: Int
        var screen: Screen?
    }

    static let all = [
        listener, factory, resolved, middleware, memoized, recentlyUsed, route, viewTree, iteratorState, pageOfDocument,
        waiter,
        storedService, furtherCallback, regexTransform, elementOfTable, boundDelegate, token, lockedBox, coordinator,
    ]

    private static let listener = Shape(
        "pattern: listener of an event",
        .held(.global("PatternShapes.emitter"), .through("listeners"), .closure("Listening.start")).giving("closure")
    ) {
        let object = Listening()
        object.start(emitter)
        return Planted(object) { emitter.removeAll() }
    }

    private static let factory = Shape(
        "pattern: factory of a container",
        .held(.global("PatternShapes.container"), .through("factories"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        container.register(Int.self) { screen.identifier }
        return Planted(screen) { container.removeAll() }
    }

    private static let resolved = Shape(
        "pattern: single instance in a container",
        .held(.global("PatternShapes.container"), .through("instances")).giving("instances").certain()
    ) {
        let screen = DetailScreen()
        container.keep(screen)
        return Planted(screen) { container.removeAll() }
    }

    private static let middleware = Shape("pattern: middleware", .held(.global("PatternShapes.chain"))) {
        let screen = DetailScreen()
        let layers: [(@escaping (Int) -> Int) -> (Int) -> Int] = [
            { next in { number in next(number) + 1 } },
            { next in { number in next(number + screen.taps) } },
            { next in { number in next(number * 2) } },
        ]
        chain = layers.reduce({ $0 }) { next, layer in layer(next) }
        return Planted(screen) { chain = nil }
    }

    private static let memoized = Shape(
        "pattern: cache of a function",
        .held(.global("PatternShapes.memo"), .through("[4]"))
            .hinting(.hubCapture, "Remove DetailScreen from the dictionary that the closure captures")
    ) {
        let function: (Int) -> Screen = remembering { _ in DetailScreen() }
        memo = function
        return Planted(function(4)) { memo = nil }
    }

    private static let recentlyUsed = Shape(
        "pattern: entry of a cache of what was used last",
        .held(.global("PatternShapes.recent"), .through(".entries"), .through("[\"b\"]"), .through("screen"))
            .references(1).hinting(.growingContainer).giving(".entries")
    ) {
        let screen = DetailScreen()
        recent = RecentlyUsed()
        for (key, used) in [("a", Screen()), ("b", screen), ("c", Screen()), ("d", Screen())] {
            recent?.use(used, key: key)
        }
        return Planted(screen) { recent = nil }
    }

    private static let route = Shape(
        "pattern: handler of a route",
        .held(.global("PatternShapes.router"), .through("[\"users\"]"), .through("handler"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        router.add(["users", "id", "photos"][...]) { screen.taps += $0.count }
        return Planted(screen) { router = RouteNode() }
    }

    private static let viewTree = Shape(
        "pattern: action of a view", .held(.global("PatternShapes.view"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        view = Stack(first: Text(text: "name"), second: Padded(content: Button(title: "save") { screen.tap() }))
        return Planted(screen) { view = nil }
    }

    private static let iteratorState = Shape(
        "pattern: state of an iterator", .held(.global("PatternShapes.iterator"))
    ) {
        let screen = DetailScreen()
        iterator = AnyIterator(sequence(state: (screen, 3)) { $0.1 > 0 ? $0.0 : nil })
        return Planted(screen) { iterator = nil }
    }

    private static let pageOfDocument = Shape(
        "pattern: copy-on-write document",
        .held(.global("PatternShapes.document"), .through("pages"), .through("[1].screen")).certain()
    ) {
        let screen = DetailScreen()
        document.add(Page(title: "first", screen: Screen()))
        document.add(Page(title: "second", screen: screen))
        return Planted(screen) { document = Document() }
    }

    private static let waiter = Shape(
        "pattern: pending completion handler",
        .held(.global("PatternShapes.waiters"), .through("[42]"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        waiters.withLock { $0[42] = { _ in screen.tap() } }
        return Planted(screen) {
            let handlers = waiters.withLock { waiters in
                defer { waiters = [:] }
                return waiters
            }
            withExtendedLifetime(handlers) {}
        }
    }

    private static let storedService = Shape(
        "pattern: service in a typed storage",
        .held(.global("PatternShapes.storage"), .member("values"), .through("service")).certain()
    ) {
        let screen = DetailScreen()
        storage.set("unused")
        storage.set(screen)
        return Planted(screen) { storage = Storage() }
    }

    private static let furtherCallback = Shape(
        "pattern: further callback of a list",
        .held(.global("PatternShapes.callbacks"), .member("further"), .closure("closure #2"))
    ) {
        let screen = DetailScreen()
        callbacks.append { CallbackList() }
        callbacks.append {
            screen.tap()
            return CallbackList()
        }
        return Planted(screen) { callbacks = CallbackList() }
    }

    private static let regexTransform = Shape(
        "pattern: transformation in a regular expression",
        .held(.global("PatternShapes.pattern"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        pattern = Regex {
            Capture {
                OneOrMore(.digit)
            } transform: { text in
                screen.taps += text.count
                return text.count
            }
        }
        return Planted(screen) { pattern = nil }
    }

    private static let elementOfTable = Shape(
        "pattern: element of allocated memory", .held(.global("PatternShapes.table"))
    ) {
        let screen = DetailScreen()
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 3)
        entries.initialize(repeating: Entry(id: 1), count: 3)
        entries[2].screen = screen
        table = entries
        return Planted(screen) {
            table?.deinitialize(count: 3)
            table?.deallocate()
            table = nil
        }
    }

    private static let boundDelegate = Shape(
        "pattern: delegate in a configuration",
        .cycle(.object("Presenter"), .through("child"), .object("Presented"), .through("delegate"))
            .hinting(.parentAndChild)
    ) {
        let presenter = Presenter()
        presenter.child = Presented(Configuration(title: "settings", delegate: presenter))
        let hidden = Hidden(presenter)
        return Planted(presenter) { hidden.object.child = nil }
    }

    private static let token = Shape(
        "pattern: token that ends a registration",
        .held(.global("PatternShapes.owner"), .through("token"), .closure("closure #1"))
    ) {
        let screen = DetailScreen()
        let keeper = TokenKeeper()
        keeper.token = Token { screen.tap() }
        owner = keeper
        return Planted(screen) { owner = nil }
    }

    private static let lockedBox = Shape(
        "pattern: value of a locked box", .held(.global("PatternShapes.owner"), .through("byName")).certain()
    ) {
        let screen = DetailScreen()
        let box = LockStorage<Registered>.make(Registered(byName: ["a": Screen(), "b": screen]))
        owner = BoxOwner(storage: box)
        return Planted(screen) { owner = nil }
    }

    private static let coordinator = Shape(
        "pattern: coordinator that its child's closure keeps",
        .cycle(.object("Coordinator"), .through("children"), .closure("Coordinator.start"))
            .giving("captures")
    ) {
        let coordinator = Coordinator()
        coordinator.start()
        let hidden = Hidden(coordinator)
        return Planted(coordinator) { hidden.object.children = [] }
    }
}
