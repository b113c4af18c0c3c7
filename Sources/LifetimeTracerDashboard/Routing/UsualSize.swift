import Synchronization

/// The size of the usual answer of a route, for which memory is reserved before the next one is written.
///
/// Answers of one route mostly have similar sizes. With too little memory their bytes are moved; too much, which the
/// allocator would take from the system again and again, costs more.
package final class UsualSize: Sendable {
    private let bytes = Atomic(4096)

    /// Creates the size of an answer that nobody has requested.
    package init() {}

    /// The number of bytes to reserve: a bit more than the usual answer takes.
    var room: Int {
        let size = bytes.load(ordering: .relaxed)
        return size + size / 8 + 64
    }

    /// Records the size of an answer; an unusually large one is forgotten after some others.
    func record(_ size: Int) {
        let former = bytes.load(ordering: .relaxed)
        let usual = max(size, former - former / 4)
        if usual != former { bytes.store(usual, ordering: .relaxed) }
    }
}
