import CForkGate

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that can only be reached while its lock is held.
///
/// The lock is a plain `pthread_mutex_t`: `Synchronization.Mutex` is a priority-inheritance futex on Linux, which collapses
/// when it is contended and which ThreadSanitizer does not understand. The lock is not recursive. Nothing but the value may
/// be touched inside ``withLock(_:)``: no callbacks, no input or output.
///
/// Whoever takes the lock is inside the fork gate, so that in a child of `fork` it is free and the value whole.
///
/// `@unchecked Sendable` is safe because `state` is only touched between lock and unlock of `mutex`.
package final class Locked<State: LockedState>: @unchecked Sendable {
    private var state: State
    // A mutex must not move, so it lives on the heap; freed in `deinit`, when nobody can hold it any more.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates the value together with its lock.
    package init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let failure = pthread_mutex_init(mutex, nil)
        precondition(failure == 0, "pthread_mutex_init: error \(failure)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` on the value while the lock is held, and returns what it returns.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        tracer_fork_enter()
        defer { tracer_fork_leave() }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
