internal import LifetimeTracer

/// Values of resilient types in static variables, which hold only the address of a large value.
@MainActor package enum OutlinedValueShapes {
    package typealias Titles = AsyncMapSequence<AsyncFilterSequence<AsyncStream<Int>>, String>

    package static var mirror: Mirror?
    package static var titles: Titles?
    package static var numbers = AsyncStream<Int> { $0.finish() }.filter { $0 > 0 }
    package static var screens: (stream: AsyncStream<Screen>, number: Int)?
    package static var jobs: (stream: AsyncStream<@Sendable () -> Void>, number: Int)?
    package static var pages = AsyncStream<Int> { $0.finish() }.prefix { $0 > 0 }

    static let all = [reflected, mapped, filtered, taken, unread, unreadClosure]

    private static let reflected = Shape(
        "value of a resilient type: the children of a mirror",
        .held(.global("OutlinedValueShapes.mirror"), .closure("closure")).references(2)
    ) {
        let made = DetailScreen()
        mirror = Mirror(reflecting: (key: 1, screen: made))
        return Planted(made) { mirror = nil }
    }

    private static let mapped = Shape(
        "value of a resilient type: the closure of a mapped sequence",
        .held(.global("OutlinedValueShapes.titles"), .closure("mapped")).hinting(.hubCapture).certain()
    ) {
        let made = DetailScreen()
        titles = AsyncStream<Int> { $0.finish() }.filter { $0 > 1 }.map { "\($0) \(made.title)" }
        return Planted(made) { titles = nil }
    }

    private static let filtered = Shape(
        "value of a resilient type: the closure of a filtered sequence",
        .held(.global("OutlinedValueShapes.numbers"), .closure("filtered"))
    ) {
        let made = DetailScreen()
        numbers = AsyncStream<Int> { $0.finish() }.filter { $0 > made.taps }
        return Planted(made) { numbers = AsyncStream<Int> { $0.finish() }.filter { $0 > 0 } }
    }

    private static let taken = Shape(
        "value of a resilient type: the closure of the first elements",
        .held(.global("OutlinedValueShapes.pages"), .closure("taken"))
    ) {
        let made = DetailScreen()
        pages = AsyncStream<Int> { $0.finish() }.prefix { $0 > made.taps }
        return Planted(made) { pages = AsyncStream<Int> { $0.finish() }.prefix { $0 > 0 } }
    }

    /// The buffer of the variable contains this value itself.
    private static let unread = Shape(
        "value of a resilient type: an element of a stream",
        .held(.global("OutlinedValueShapes.screens"), .through("state")).certain()
            .hinting(.growingContainer, "A stream keeps an element that nobody has read: DetailScreen. Read")
    ) {
        let made = DetailScreen()
        let (stream, source) = AsyncStream<Screen>.makeStream()
        source.yield(made)
        screens = (stream, 1)
        return Planted(made) { screens = nil }
    }

    private static let unreadClosure = Shape(
        "value of a resilient type: a closure in a stream",
        .held(.global("OutlinedValueShapes.jobs"), .closure("unreadClosure"))
            .hinting(.growingContainer, "A stream keeps an element that nobody has read, closure")
    ) {
        let made = DetailScreen()
        let (stream, source) = AsyncStream<@Sendable () -> Void>.makeStream()
        source.yield { made.tap() }
        jobs = (stream, 1)
        return Planted(made) { jobs = nil }
    }
}
