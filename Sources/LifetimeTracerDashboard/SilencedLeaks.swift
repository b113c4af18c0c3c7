import LifetimeTracer
import RetainPaths

/// The leaks that somebody said are known while the process runs, with the reason; gone with the process.
///
/// What is to stay is entered in the file of known leaks. Bounded by ``limit``.
final class SilencedLeaks: Sendable {
    /// The most leaks that are kept.
    static let limit = 1000

    /// One of them.
    struct Leak: LockedState {
        /// What it is known by: that of a retain path, or of the verdict where no path was asked for.
        let fingerprint: Fingerprint
        /// Why it is tolerated.
        let reason: String
        /// When that was said.
        let at: MonotonicTime
        /// The instances of which it was known then that they leak so: what is known of them is forgotten after a while.
        let instances: Set<InstanceID>
    }

    private let leaks = Locked<[Leak]>([])

    /// The leaks, oldest first.
    var all: [Leak] { leaks.withLock { $0 } }

    /// Adds one, in the place of what was said of it before.
    ///
    /// - Returns: Whether there was room for it.
    func add(_ leak: Leak) -> Bool {
        leaks.withLock { leaks in
            leaks.removeAll { $0.fingerprint == leak.fingerprint }
            guard leaks.count < Self.limit else { return false }
            leaks.append(leak)
            return true
        }
    }

    /// Drops one.
    ///
    /// - Returns: Whether it was there.
    func remove(_ fingerprint: Fingerprint) -> Bool {
        leaks.withLock { leaks in
            guard let position = leaks.firstIndex(where: { $0.fingerprint == fingerprint }) else { return false }
            leaks.remove(at: position)
            return true
        }
    }
}
