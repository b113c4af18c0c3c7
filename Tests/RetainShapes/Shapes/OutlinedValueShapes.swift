internal import LifetimeTracer

/// Values of resilient types in static variables, which hold only the address of a large value.
@MainActor package enum OutlinedValueShapes {
    package typealias Titles = AsyncMapSequence<AsyncFilterSequence<AsyncStream<Int>>, String>

    package static var mirror: Mirror?
    package static var titles: Titles?
    package static var numbers = AsyncStream<Int> { $0.finish() }.filter { $0 > 0 }
    package static var pages = AsyncStream<Int> { $0.finish() }.prefix { $0 > 0 }

    static let all = [reflected, mapped, filtered, taken]

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
}
