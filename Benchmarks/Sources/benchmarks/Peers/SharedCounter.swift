import Synchronization

/// A shared atomic counter like RxSwift's `Resources`: it counts the live objects of all types together.
///
/// A new implementation of the published algorithm: increment at init, decrement at deinit.
enum SharedCounter {
    static let live = Atomic<Int>(0)
}

/// The class with two Int fields, counted by this counter.
final class CountedPair: Subject {
    var first: Int
    var second: Int

    init(_ value: Int) {
        first = value
        second = ~value
        SharedCounter.live.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        SharedCounter.live.wrappingSubtract(1, ordering: .relaxed)
    }

    @inline(never)
    static func make(_ value: Int) -> CountedPair { CountedPair(value) }
}
