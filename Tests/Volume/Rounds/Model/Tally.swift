import Synchronization

/// Counts calls that may come on any thread.
///
/// An atomic number, not the tracer's own lock, so that what is counted with is not what is tested.
final class Tally: Sendable {
    private let calls = Atomic(0)

    var count: Int { calls.load(ordering: .acquiring) }

    func add() {
        calls.add(1, ordering: .releasing)
    }
}
