import Synchronization

/// A shared atomic counter, as RxSwift's `Resources` keeps one: it counts what is live, of all types together.
///
/// Written anew from the published algorithm: add one at init, take one at deinit.
enum SharedCounter {
    static let live = Atomic<Int>(0)
}

/// The class of two Int fields, counted by it.
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
