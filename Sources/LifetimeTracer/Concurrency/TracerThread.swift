#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The thread on which a registry reaches its verdicts and calls its verdict observers.
///
/// It starts when it is first needed and sleeps until the next point in time that somebody asked for: an idle registry costs
/// no wake-ups.
///
/// `@unchecked Sendable` is safe because `state` is only touched between lock and unlock of `mutex`.
final class TracerThread: @unchecked Sendable {
    /// Looks at everything that is due, and says when to look again.
    typealias Work = @Sendable () -> Outcome

    /// What the work leaves behind.
    enum Outcome: Sendable {
        /// Look again at this time, or when asked.
        case sleep(until: MonotonicTime?)
        /// There is nothing left to work for.
        case exit
    }

    private struct State {
        var isStarted = false
        var isStopping = false
        var thread: pthread_t?
        var wakeAt: MonotonicTime?
        var work: Work?
        // Rounds that were asked for and that were finished, so that a caller can wait for its own.
        var requested: UInt64 = 0
        var finished: UInt64 = 0
    }

    private let clock: any TracerClock
    private var state = State()
    // Neither may move, so they live on the heap; freed in `deinit`, when the thread no longer refers to this object.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(clock: any TracerClock) {
        self.clock = clock
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

    // Darwin's condition variables know the time of day only.
    #if canImport(Darwin)
    private static let waitClock = CLOCK_REALTIME
    #else
    private static let waitClock = CLOCK_MONOTONIC
    #endif

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Sets what the thread does.
    ///
    /// Called once, before anything else.
    func prepare(_ work: @escaping Work) {
        locked { $0.work = work }
    }

    /// Asks for a look no later than at `time`.
    func wake(by time: MonotonicTime) {
        locked { state in
            startIfNeeded(&state)
            guard state.wakeAt.map({ time < $0 }) ?? true else { return }
            state.wakeAt = time
            pthread_cond_broadcast(changed)
        }
    }

    /// Has the work done now and returns when that is finished.
    ///
    /// On the thread itself the work is done in place.
    func runAndWait() {
        let ownWork: Work? = locked { state in
            if let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 { return state.work }
            guard !state.isStopping else { return nil }
            startIfNeeded(&state)
            state.requested += 1
            let round = state.requested
            pthread_cond_broadcast(changed)
            while state.finished < round, !state.isStopping { pthread_cond_wait(changed, mutex) }
            return nil
        }
        _ = ownWork?()
    }

    /// Ends the thread.
    ///
    /// It may still be at its last round when this returns.
    func stop() {
        locked { state in
            state.isStopping = true
            state.work = nil
            pthread_cond_broadcast(changed)
        }
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    private func startIfNeeded(_ state: inout State) {
        guard !state.isStarted, !state.isStopping else { return }
        state.isStarted = true
        // Retained for the thread, released by `main` when it returns.
        let me = Unmanaged.passRetained(self)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // Detached: the last reference to a registry may go on this very thread, which could not join itself.
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let failure = pthread_create(&thread, &attributes, { tracerThreadMain($0) }, me.toOpaque())
        precondition(failure == 0, "pthread_create: error \(failure)")
        state.thread = thread
    }

    fileprivate func main() {
        while let (work, round) = locked({ nextRound(&$0) }) {
            let outcome = work()
            locked { state in
                state.finished = max(state.finished, round)
                switch outcome {
                case .sleep(let until):
                    if let until { state.wakeAt = state.wakeAt.map { min($0, until) } ?? until }
                case .exit:
                    state.isStopping = true
                }
                pthread_cond_broadcast(changed)
            }
        }
    }

    /// Waits until there is something to do.
    private func nextRound(_ state: inout State) -> (work: Work, round: UInt64)? {
        while true {
            guard !state.isStopping, let work = state.work else { return nil }
            let now = clock.now()
            let isDue = state.wakeAt.map { $0 <= now } ?? false
            if isDue || state.requested > state.finished {
                state.wakeAt = nil
                return (work, state.requested)
            }
            if let wakeAt = state.wakeAt, clock.runsByItself {
                waitOnce(for: wakeAt - now)
            } else {
                pthread_cond_wait(changed, mutex)
            }
        }
    }

    /// Waits for a signal, at most so long.
    ///
    /// May return early.
    private func waitOnce(for duration: Duration) {
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

/// Where the thread starts; a free function, because it must not inherit anyone's isolation.
private func tracerThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // Takes over the reference that `startIfNeeded` retained.
    let thread = Unmanaged<TracerThread>.fromOpaque(context).takeRetainedValue()
    thread.main()
    return nil
}
