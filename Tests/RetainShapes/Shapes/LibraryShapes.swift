internal import LifetimeTracer
package import RetainShapesLibraries

/// Retain paths through objects of libraries.
///
/// The suspect is always a reference of the program's own code.
@MainActor package enum LibraryShapes {
    package static var channels: [Int: SocketChannel] = [:]
    package static var cache = LinkedCache<Int, Screen>()
    package static var promise: Promise<Int>?
    package static var loop: EventLoop?
    package static var owner: AnyObject?
    package static var queue = Deque<Screen>()
    package static var handlers: [AnyObject] = []

    static let all = [
        handlerOfChannel, screenOfHandler, storedContext, storedChannel, cached, cachedDeep, promised, ownPromise,
        looped, queued, wrappedCache,
    ]

    static func shape(
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
        .cycle(.object("Loader"), .through("promise"), .closure("Loader.wait")).giving("Loader.wait")
    ) {
        let loader = Loader()
        loader.wait()
        let hidden = Hidden(loader)
        return Planted(loader) { hidden.object.promise.succeed(1) }
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

/// A model of the program that waits for a promise.
private final class Loader: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread uses the model.
    let promise = Promise<Int>()
    private var count = 0

    func wait() { promise.whenSuccess { self.count += $0 } }
}
