import LifetimeTracer
import RetainPaths

/// The leaks that were acknowledged while the process runs, with their reasons.
///
/// The list ends with the process.
///
/// A leak to acknowledge permanently belongs in the file of known leaks. The list is bounded by ``limit``.
final class AcknowledgedLeaks: Sendable {
    /// The most leaks in the list.
    static let limit = 1000

    /// An acknowledged leak.
    struct Leak: LockedState {
        /// The fingerprint of the leak's retain path, or of the verdict if no retain path was searched for.
        let fingerprint: Fingerprint
        /// The reason why the leak is accepted.
        let reason: String
        /// The time at which the leak was acknowledged.
        let at: MonotonicTime
        /// The instances whose search results had this fingerprint when the leak was acknowledged.
        ///
        /// The list is kept because search results expire.
        let instances: Set<InstanceID>
    }

    private let leaks = Locked<[Leak]>([])

    /// The leaks, oldest first.
    var all: [Leak] { leaks.withLock { $0 } }

    /// Adds a leak.
    ///
    /// An earlier entry with the same fingerprint is replaced.
    ///
    /// - Returns: `false` if the list is full.
    func add(_ leak: Leak) -> Bool {
        leaks.withLock { leaks in
            leaks.removeAll { $0.fingerprint == leak.fingerprint }
            guard leaks.count < Self.limit else { return false }
            leaks.append(leak)
            return true
        }
    }

    /// Removes the leak with a fingerprint.
    ///
    /// - Returns: `false` if the list has no leak with this fingerprint.
    func remove(_ fingerprint: Fingerprint) -> Bool {
        leaks.withLock { leaks in
            guard let position = leaks.firstIndex(where: { $0.fingerprint == fingerprint }) else { return false }
            leaks.remove(at: position)
            return true
        }
    }
}
