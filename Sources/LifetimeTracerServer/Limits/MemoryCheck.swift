import Synchronization
import TracerBase

/// Finds out, before each request, whether the process has memory left to answer it.
///
/// Whether the system limits the memory at all is looked up at most once in `interval`, because each look takes two
/// system calls. A limit that the program sets later is therefore noticed that much later. While there is a limit, the
/// memory is checked at every request.
final class MemoryCheck: Sendable {
    /// The time for which the memory counts as unlimited after a look: a tenth of a second.
    static let interval: UInt64 = 100_000_000

    private let isLimited: @Sendable () -> Bool
    private let hasRoomNow: @Sendable () -> Bool
    private let unlimitedUntil = Atomic<UInt64>(0)

    /// Creates a check of the process, or of what the two functions state.
    init(
        isLimited: @escaping @Sendable () -> Bool = { ProcessLimits.isMemoryLimited },
        hasRoomNow: @escaping @Sendable () -> Bool = { ProcessLimits.hasRoom(for: 0) }
    ) {
        self.isLimited = isLimited
        self.hasRoomNow = hasRoomNow
    }

    /// Whether there is memory left.
    func hasRoom(at now: MonotonicInstant) -> Bool {
        if now.nanoseconds < unlimitedUntil.load(ordering: .relaxed) { return true }
        guard !isLimited() else { return hasRoomNow() }
        unlimitedUntil.store(now.nanoseconds + Self.interval, ordering: .relaxed)
        return true
    }
}
