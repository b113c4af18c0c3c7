import Synchronization

/// Counts calls from any thread.
///
/// Uses an atomic number and not the tracer's own lock, which is under test.
final class Tally: Sendable {
    private let calls = Atomic(0)

    var count: Int { calls.load(ordering: .acquiring) }

    func add() {
        calls.add(1, ordering: .releasing)
    }
}
