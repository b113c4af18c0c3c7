import CForkBarrier

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that is accessible only while its lock is held, with a way to wait for changes.
///
/// While a thread waits, other threads change the value, so the waiting thread must not be in the middle of an access.
/// That is why a condition is a closure that reads the value anew after each wait, and why waiting inside
/// ``withLock(_:)`` is impossible.
///
/// In a fork child the value is unchanged, and no thread waits, because the waiting threads do not exist there.
///
/// `@unchecked Sendable` is safe because `state` is accessed only inside the fork barrier, between lock and unlock of
/// the mutex.
package final class Monitor<State: LockedState>: @unchecked Sendable {
    /// The outcome of a condition.
    package enum Outcome<Result> {
        /// The condition holds, with the result of the wait.
        case holds(Result)
        /// The condition does not hold; it is checked again after a change, and at the latest after this duration.
        case waits(atMost: Duration?)
    }

    private var state: State
    // Freed in `deinit`, when no thread can hold it or wait for it any more.
    private let monitor: UnsafeMutablePointer<lt_fork_monitor>

    /// Creates a value and its lock.
    package init(_ state: State) {
        self.state = state
        guard let monitor = lt_fork_monitor_create() else { fatalError("Not enough memory for a lock.") }
        self.monitor = monitor
    }

    deinit {
        lt_fork_monitor_destroy(monitor)
    }

    /// Calls `body` with the value while the lock is held, and wakes the threads that wait for a change.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        enter()
        defer { leave() }
        let result = body(&state)
        pthread_cond_broadcast(changed)
        return result
    }

    /// Calls `body` with the value while the lock is held, and wakes nobody.
    package func read<Result>(_ body: (State) -> Result) -> Result {
        enter()
        defer { leave() }
        return body(state)
    }

    /// Waits until a condition holds.
    ///
    /// The calling thread holds no other lock. It may be inside the fork barrier, which it leaves while it waits.
    ///
    /// - Parameter condition: Called while the lock is held; may change the value if it holds.
    package func wait<Result>(until condition: (inout State) -> Outcome<Result>) -> Result {
        enter()
        defer { leave() }
        while true {
            switch condition(&state) {
            case .holds(let result): return result
            case .waits(let duration): waitForChange(atMost: duration)
            }
        }
    }

    // Parts of `monitor`, valid until `deinit`.
    private var mutex: UnsafeMutablePointer<pthread_mutex_t> { lt_fork_monitor_mutex(monitor) }
    private var changed: UnsafeMutablePointer<pthread_cond_t> { lt_fork_monitor_condition(monitor) }

    private func enter() {
        lt_fork_enter()
        pthread_mutex_lock(mutex)
    }

    private func leave() {
        pthread_mutex_unlock(mutex)
        lt_fork_leave()
    }

    /// Returns after a change, and sometimes without one.
    private func waitForChange(atMost duration: Duration?) {
        // A `fork` must not wait for a change, so the wait is outside the barrier. A thread must not wait at the
        // barrier while it holds the mutex, so after the wait the mutex is released before the barrier is entered.
        let depth = lt_fork_leave_entirely()
        if let duration { wait(atMost: duration) } else { pthread_cond_wait(changed, mutex) }
        pthread_mutex_unlock(mutex)
        lt_fork_enter_again(depth)
        pthread_mutex_lock(mutex)
    }

    // Darwin's condition variables support only the time of day.
    #if canImport(Darwin)
    private static var waitClock: clockid_t { CLOCK_REALTIME }
    #else
    private static var waitClock: clockid_t { CLOCK_MONOTONIC }
    #endif

    private func wait(atMost duration: Duration) {
        // Waits for an hour at most, so that the clock is read again even if it has been changed.
        let nanoseconds = min(duration.wholeNanoseconds, 3_600_000_000_000)
        var until = timespec()
        clock_gettime(Self.waitClock, &until)
        let sum = Int64(until.tv_nsec) + nanoseconds
        until.tv_sec += Int(sum / 1_000_000_000)
        until.tv_nsec = Int(sum % 1_000_000_000)
        pthread_cond_timedwait(changed, mutex, &until)
    }
}
