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
/// `@unchecked Sendable` is safe because `state` is only touched between lock and unlock of `mutex`.
final class Monitor<State: Sendable>: @unchecked Sendable {
    /// What a condition says.
    enum Verdict<Result> {
        /// It holds, and this is what the waiting was for.
        case holds(Result)
        /// It does not: to be asked again after a change, and after this long in any case.
        case waits(atMost: Duration?)
    }

    private var state: State
    // Neither may move, so they live on the heap; freed in `deinit`, when nobody can hold or await them any more.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
        pthread_cond_init(changed, nil)
        #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A step of the time of day must not hold up a wait.
        pthread_condattr_setclock(&attributes, Self.waitClock)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` on the value while the lock is held, and wakes those who wait for a change.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let result = body(&state)
        pthread_cond_broadcast(changed)
        return result
    }

    /// Waits until a condition holds.
    ///
    /// - Parameter condition: Asked while the lock is held; may change the value when it holds.
    func wait<Result>(until condition: (inout State) -> Verdict<Result>) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            switch condition(&state) {
            case .holds(let result): return result
            case .waits(atMost: nil): pthread_cond_wait(changed, mutex)
            case .waits(atMost: .some(let duration)): wait(atMost: duration)
            }
        }
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
