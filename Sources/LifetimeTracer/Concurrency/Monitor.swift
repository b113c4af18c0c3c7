import CForkGate

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that can only be reached while its lock is held, and a way to wait until it changes.
///
/// While a thread waits, others change the value; so no access to it may be open then. That is why a condition is a closure
/// that looks at the value anew after each wait, and why there is no way to wait inside ``withLock(_:)``.
///
/// In a child of `fork` the value is as it was, and nobody waits: those who did have vanished.
///
/// `@unchecked Sendable` is safe because `state` is only touched inside the fork gate, between lock and unlock of the
/// mutex.
package final class Monitor<State: LockedState>: @unchecked Sendable {
    /// What a condition says.
    package enum Verdict<Result> {
        /// It holds, and this is what the waiting was for.
        case holds(Result)
        /// It does not: to be asked again after a change, and after this long in any case.
        case waits(atMost: Duration?)
    }

    private var state: State
    // Freed in `deinit`, when nobody can hold or await it any more.
    private let monitor: UnsafeMutablePointer<tracer_fork_monitor>

    /// Creates the value together with its lock.
    package init(_ state: State) {
        self.state = state
        guard let monitor = tracer_fork_monitor_create() else { fatalError("There is no memory for a lock.") }
        self.monitor = monitor
    }

    deinit {
        tracer_fork_monitor_destroy(monitor)
    }

    /// Runs `body` on the value while the lock is held, and wakes those who wait for a change.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        enter()
        defer { leave() }
        let result = body(&state)
        pthread_cond_broadcast(changed)
        return result
    }

    /// Waits until a condition holds.
    ///
    /// - Parameter condition: Asked while the lock is held; may change the value when it holds.
    package func wait<Result>(until condition: (inout State) -> Verdict<Result>) -> Result {
        enter()
        defer { leave() }
        while true {
            switch condition(&state) {
            case .holds(let result): return result
            case .waits(let duration): waitForChange(atMost: duration)
            }
        }
    }

    private var mutex: UnsafeMutablePointer<pthread_mutex_t> { tracer_fork_monitor_mutex(monitor) }
    private var changed: UnsafeMutablePointer<pthread_cond_t> { tracer_fork_monitor_condition(monitor) }

    private func enter() {
        tracer_fork_enter()
        pthread_mutex_lock(mutex)
    }

    private func leave() {
        pthread_mutex_unlock(mutex)
        tracer_fork_leave()
    }

    /// Returns after a change, and now and then without one.
    private func waitForChange(atMost duration: Duration?) {
        // A `fork` must not wait for a change; and nobody may stand at the gate with the lock in hand, so that on the way
        // back the lock is given up once more.
        tracer_fork_leave()
        if let duration { wait(atMost: duration) } else { pthread_cond_wait(changed, mutex) }
        pthread_mutex_unlock(mutex)
        enter()
    }

    // Darwin's condition variables know the time of day only.
    #if canImport(Darwin)
    private static var waitClock: clockid_t { CLOCK_REALTIME }
    #else
    private static var waitClock: clockid_t { CLOCK_MONOTONIC }
    #endif

    private func wait(atMost duration: Duration) {
        // At most an hour at a time: whatever happens to the clock, it is looked at again.
        let nanoseconds = min(duration.wholeNanoseconds, 3_600_000_000_000)
        var until = timespec()
        clock_gettime(Self.waitClock, &until)
        let sum = Int64(until.tv_nsec) + nanoseconds
        until.tv_sec += Int(sum / 1_000_000_000)
        until.tv_nsec = Int(sum % 1_000_000_000)
        pthread_cond_timedwait(changed, mutex, &until)
    }
}
