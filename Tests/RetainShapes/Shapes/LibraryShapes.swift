internal import LifetimeTracer
package import RetainShapesLibraries

/// Retain paths through objects of libraries.
///
/// The suspect is always a reference of the program's own code.
@MainActor package enum LibraryShapes {
    package static var channels: [Int: SocketChannel] = [:]
    package static var cache = LinkedCache<Int, Screen>()
    package static var store = Store<Int, String>(state: 0) { action, state in state + action.count }
    package static var subject = PublishSubject<Int>()
    package static var behavior: BehaviorSubject<Screen?> = BehaviorSubject(value: nil)
    package static var output = PassthroughSubject<String>()
    package static var subscription: AnyObject?
    package static var promise: Promise<Int>?
    package static var loop: EventLoop?
    package static var owner: AnyObject?
    package static var queue = Deque<Screen>()
    package static var handlers: [AnyObject] = []

    static let all = [
        handlerOfChannel, screenOfHandler, storedContext, storedChannel, cached, cachedDeep, storeCapture,
        ownStore, storeState, middleware, subscribed, ownSubject, mapped, valueOfSubject, sink, ownSink, assigned,
        promised, ownPromise, looped, queued, wrappedCache,
    ]

    private static func shape(
        _ name: String, _ expectation: Expectation, using variable: String? = nil,
        _ plant: @escaping @MainActor @Sendable () -> Planted
    ) -> Shape {
        Shape("through a library: \(name)", expectation, using: variable.map { [$0] } ?? [], plant: plant)
    }

    private static let handlerOfChannel = shape(
        "handler of a channel", .held(.global("LibraryShapes.channels"), .object("Handler")).giving("channels")
    ) {
        let channel = SocketChannel(on: EventLoop(name: "io"))
        let handler = Handler()
        channel.pipeline.addHandler(handler)
        channels[7] = channel
        return Planted(handler) {
            let channel = channels.removeValue(forKey: 7)
            channel?.close()
            channel?.eventLoop.shutDown()
        }
    }

    private static let screenOfHandler = shape(
        "what a handler of a channel shows",
        .held(.global("LibraryShapes.channels"), .object("Handler"), .through("screen")).giving("channels")
    ) {
        let channel = SocketChannel(on: EventLoop(name: "io"))
        let handler = Handler()
        let screen = DetailScreen()
        handler.screen = screen
        channel.pipeline.addHandler(handler)
        channels[8] = channel
        return Planted(screen) {
            let channel = channels.removeValue(forKey: 8)
            channel?.close()
            channel?.eventLoop.shutDown()
        }
    }

    private static let storedContext = shape(
        "context that its handler keeps",
        .cycle(.object("Handler"), .through("context"), .object("ChannelHandlerContext")).giving("Handler")
            .references(1, holders: 1)
    ) {
        let channel = SocketChannel(on: EventLoop(name: "io"))
        let handler = Handler()
        handler.keepsContext = true
        channel.pipeline.addHandler(handler)
        let hidden = Hidden(handler)
        // The event loop must not keep the channel alive, and the channel must not keep the pipeline's list alive.
        handler.loop = channel.eventLoop
        return Planted(handler) {
            let (loop, pipeline) = (hidden.object.loop, hidden.object.context?.pipeline)
            hidden.object.context = nil
            pipeline?.removeHandlers()
            loop?.shutDown()
        }
    }

    private static let storedChannel = shape(
        "channel that its handler keeps",
        .cycle(.object("Handler"), .through("channel"), .object("SocketChannel")).giving("Handler")
    ) {
        let channel = SocketChannel(on: EventLoop(name: "io"))
        let handler = Handler()
        channel.pipeline.addHandler(handler)
        handler.channel = channel
        let hidden = Hidden(handler)
        return Planted(handler) {
            let channel = hidden.object.channel
            hidden.object.channel = nil
            channel?.close()
            channel?.eventLoop.shutDown()
        }
    }

    private static let cached = shape(
        "value of a cache", .held(.global("LibraryShapes.cache"), .object("LinkedCache")).giving("cache")
    ) {
        let screen = DetailScreen()
        cache.insert(screen, for: 1)
        return Planted(screen) { cache.removeAll() }
    }

    private static let cachedDeep = shape(
        "value deep in a cache", .held(.global("LibraryShapes.cache"), .object("LinkedCache")).giving("cache")
    ) {
        let screen = DetailScreen()
        cache.insert(screen, for: 1)
        for number in 2..<30 { cache.insert(Screen(), for: number) }
        return Planted(screen) { cache.removeAll() }
    }

    private static let storeCapture = shape(
        "subscriber of a store", .held(.global("LibraryShapes.store"), .closure("storeCapture")).giving("storeCapture")
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        store.subscribe { screen.taps += $0 + number }
        return Planted(screen) { store.unsubscribeAll() }
    }

    private static let ownStore = shape(
        "store in a property of its subscriber",
        .cycle(.object("Model"), .through("store"), .closure("Model.follow")).giving("Model.follow")
    ) {
        let model = Model()
        model.follow()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.store.unsubscribeAll() }
    }

    private static let storeState = shape(
        "state of a store in a property",
        .held(.global("LibraryShapes.owner"), .object("ScreenModel")).giving("ScreenModel")
    ) {
        let screen = DetailScreen()
        owner = ScreenModel(screen)
        return Planted(screen) { owner = nil }
    }

    private static let middleware = shape(
        "middleware of a store", .held(.global("LibraryShapes.owner"), .closure("middleware")).giving("middleware")
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        owner = Store<Int, String>(
            state: 0,
            middleware: [
                { next in
                    { action in
                        screen.taps += number
                        next(action)
                    }
                }
            ]
        ) { action, state in state + action.count }
        return Planted(screen) { owner = nil }
    }

    private static let subscribed = shape(
        "subscriber of a subject", .held(.global("LibraryShapes.subject"), .closure("subscribed")).giving("subscribed"),
        using: "LibraryShapes.subscription"
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        let disposable = subject.subscribe { screen.taps += $0 + number }
        subscription = disposable
        return Planted(screen) {
            (subscription as? any Disposable)?.dispose()
            subscription = nil
        }
    }

    private static let ownSubject = shape(
        "subject in a property of its subscriber",
        .cycle(.object("Model"), .through("subject"), .closure("Model.listen")).giving("Model.listen")
    ) {
        let model = Model()
        model.listen()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.endListening() }
    }

    private static let mapped = shape(
        "function that maps a subject", .held(.global("LibraryShapes.subject"), .closure("mapped")).giving("mapped"),
        using: "LibraryShapes.subscription"
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        subscription = subject.map { screen.title + "\($0 + number)" }.subscribe { _ in }
        return Planted(screen) {
            (subscription as? any Disposable)?.dispose()
            subscription = nil
        }
    }

    private static let valueOfSubject = shape(
        "value of a subject", .held(.global("LibraryShapes.behavior"), .object("BehaviorSubject")).giving("behavior")
    ) {
        let screen = DetailScreen()
        behavior.onNext(screen)
        return Planted(screen) { behavior.onNext(nil) }
    }

    private static let sink = shape(
        "sink of a subject", .held(.global("LibraryShapes.output"), .closure("sink")).giving("sink"),
        using: "LibraryShapes.subscription"
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        subscription = output.sink { screen.title = $0 + "\(number)" }
        return Planted(screen) { subscription = nil }
    }

    private static let ownSink = shape(
        "sink with the subject in a property",
        .cycle(.object("Model"), .through("output"), .closure("Model.receive")).giving("Model.receive")
    ) {
        let model = Model()
        model.receive()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.cancellable = nil }
    }

    private static let assigned = shape(
        "assignment to a property", .held(.global("LibraryShapes.output")),
        using: "LibraryShapes.subscription"
    ) {
        let screen = DetailScreen()
        subscription = output.assign(to: \Screen.title, on: screen)
        return Planted(screen) { subscription = nil }
    }

    private static let promised = shape(
        "callback of a promise", .held(.global("LibraryShapes.promise"), .closure("promised")).giving("promised")
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        let made = Promise<Int>()
        made.whenSuccess { screen.taps += $0 + number }
        promise = made
        return Planted(screen) { promise = nil }
    }

    private static let ownPromise = shape(
        "callback of a promise in a property",
        .cycle(.object("Model"), .through("promise"), .closure("Model.wait")).giving("Model.wait")
    ) {
        let model = Model()
        model.wait()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.promise.succeed(1) }
    }

    private static let looped = shape(
        "task of an event loop in a variable",
        .held(.global("LibraryShapes.loop"), .object("EventLoop"), .closure("looped")).giving("looped")
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        let made = EventLoop(name: "shapes")
        made.schedule(in: 3600) { screen.taps += number }
        loop = made
        return Planted(screen) {
            loop?.shutDown()
            loop = nil
        }
    }

    private static let queued = shape(
        "element of a deque", .held(.global("LibraryShapes.queue")).giving("queue")
    ) {
        let screen = DetailScreen()
        queue.append(screen)
        return Planted(screen) { queue = Deque() }
    }

    private static let wrappedCache = shape(
        "cache in a property",
        .held(.global("LibraryShapes.owner"), .object("Gallery"), .through("cache")).giving("Gallery")
    ) {
        let screen = DetailScreen()
        let gallery = Gallery()
        gallery.cache.insert(screen, for: "detail")
        owner = gallery
        return Planted(screen) { owner = nil }
    }
}

/// A channel handler of the program.
private final class Handler: TracedObject, ChannelHandler, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread uses the handler.
    var context: ChannelHandlerContext?
    var channel: SocketChannel?
    var loop: EventLoop?
    var screen: Screen?
    var keepsContext = false

    func handlerAdded(context: ChannelHandlerContext) {
        if keepsContext { self.context = context }
    }
}

private final class Gallery {
    let cache = LinkedCache<String, Screen>()
}

private final class ScreenModel {
    let store: Store<[Screen], Int>

    init(_ screen: Screen) { store = Store(state: [screen]) { _, state in state } }
}

/// A model of the program that uses libraries.
private final class Model: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread uses the model.
    let store = Store<Int, Int>(state: 0) { action, state in action + state }
    let subject = PublishSubject<Int>()
    let output = PassthroughSubject<Int>()
    let promise = Promise<Int>()
    var cancellable: AnyCancellable?
    private var disposable: (any Disposable)?
    private var count = 0

    func follow() { store.subscribe { self.count += $0 } }

    func listen() {
        let step = count + 1
        disposable = subject.subscribe { self.count += $0 + step }
    }

    func endListening() { disposable?.dispose() }

    func receive() {
        let step = count + 1
        cancellable = output.sink { self.count += $0 + step }
    }

    func wait() { promise.whenSuccess { self.count += $0 } }
}
