import LifetimeTracer

/// The same class, inheriting from the library's.
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
