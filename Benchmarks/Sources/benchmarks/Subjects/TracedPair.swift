import LifetimeTracer

/// The same class as a subclass of `TracedObject`.
final class TracedPair: TracedObject, Subject {
    var first: Int
    var second: Int

    init(_ value: Int) {
        first = value
        second = ~value
        super.init()
    }

    @inline(never)
    static func make(_ value: Int) -> TracedPair { TracedPair(value) }
}
