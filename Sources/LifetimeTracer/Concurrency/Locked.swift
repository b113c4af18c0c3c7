import CForkBarrier

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that is accessible only while its lock is held.
///
/// The lock is a plain `pthread_mutex_t`. On Linux, `Synchronization.Mutex` is a priority-inheritance futex, which
/// collapses under contention and which ThreadSanitizer does not understand. The lock is not recursive. Code inside
/// ``withLock(_:)`` must access only the value: no callbacks, no input or output.
///
/// A thread that takes the lock is inside the fork barrier, so in a fork child the lock is free and the value is
/// consistent.
///
/// `@unchecked Sendable` is safe because `state` is accessed only between lock and unlock of `mutex`.
package final class Locked<State: LockedState>: @unchecked Sendable {
    // Unchecked, because the lock itself excludes a second access.
    @exclusivity(unchecked) private var state: State
    // A mutex must not move, so it is allocated on the heap. It is freed in `deinit`, when no thread can hold it any
    // more.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates a value and its lock.
    package init(_ state: State) {
        self.state = state
        // Clears the whole block, which may be larger than the mutex: old contents must not look like references.
        guard let block = calloc(1, MemoryLayout<pthread_mutex_t>.size) else { preconditionFailure("out of memory") }
        mutex = block.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        let failure = pthread_mutex_init(mutex, nil)
        precondition(failure == 0, "pthread_mutex_init: error \(failure)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        free(mutex)
    }

    /// Calls `body` with the value while the lock is held, and returns its result.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lt_fork_enter()
        defer { lt_fork_leave() }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Removes a part of the value with `body`, and releases that part after the lock.
    ///
    /// The release may run other code, such as the deinit of an object that a closure captures. The optimiser is free
    /// to release an unused result of ``withLock(_:)`` before it unlocks.
    package func removeAndRelease<Removed>(_ body: (inout State) -> Removed) {
        let removed = withLock(body)
        withExtendedLifetime(removed) {}
    }
}
