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
/// A child of `fork` does not have the thread. It starts there when something asks for it, and then catches up.
final class TracerThread: Sendable {
    /// Looks at everything that is due, and says when to look again.
    struct Work: Sendable {
        let look: @Sendable () -> Outcome
    }

    /// What the work leaves behind.
    enum Outcome: Sendable {
        /// Look again at this time, or when asked.
        case sleep(until: MonotonicTime?)
        /// There is nothing left to work for.
        case exit
    }

    private struct State: LockedState {
        /// The process in which the thread was started.
        var startedIn: ForkGeneration?
        var isStopping = false
        // Set by the thread itself before its first round, so that work that asks for more finds out that it is already there.
        var thread: ThreadIdentity?
        var wakeAt: MonotonicTime?
        var work: Work?
        // Rounds that were asked for and that were finished, so that a caller can wait for its own.
        var requested: UInt64 = 0
        var finished: UInt64 = 0
        /// When the round that is under way began.
        var roundSince: MonotonicTime?
        /// When the last round ended.
        var lastRoundAt: MonotonicTime?
    }

    /// What the thread is doing.
    struct Activity: Sendable {
        /// When the round that is under way began; `nil` while the thread sleeps or does not exist.
        let roundSince: MonotonicTime?
        /// When the last round ended; `nil` before the first.
        let lastRoundAt: MonotonicTime?
        /// When the next round is due; `nil` when none is, and on a clock that does not run by itself.
        let due: MonotonicTime?
    }

    private let clock: any TracerClock
    private let state = Monitor(State())

    init(clock: any TracerClock) {
        self.clock = clock
    }

    /// Sets what the thread does.
    ///
    /// Called once, before anything else.
    func prepare(_ look: @escaping @Sendable () -> Outcome) {
        state.withLock { $0.work = Work(look: look) }
    }

    /// Asks for a look no later than at `time`.
    func wake(by time: MonotonicTime) {
        state.withLock { state in
            startIfNeeded(&state)
            state.wakeAt = state.wakeAt.map { min($0, time) } ?? time
        }
    }

    /// What the thread is doing, without waiting for it.
    var activity: Activity {
        state.withLock { state in
            // A round that was under way during a `fork` has vanished in the child, together with its thread.
            let isHere = state.startedIn == .current
            return Activity(
                roundSince: isHere ? state.roundSince : nil, lastRoundAt: state.lastRoundAt,
                due: clock.runsByItself ? state.wakeAt : nil)
        }
    }

    /// Has the work done now and returns when that is finished.
    ///
    /// On the thread itself the work is done in place.
    func runAndWait() {
        let (ownWork, round) = state.withLock { state -> (Work?, UInt64) in
            if state.startedIn == .current, state.thread == .current { return (state.work, 0) }
            startIfNeeded(&state)
            state.requested += 1
            return (nil, state.requested)
        }
        if let ownWork {
            _ = ownWork.look()
            return
        }
        state.wait { $0.finished >= round || $0.isStopping ? .holds(()) : .waits(atMost: nil) }
    }

    /// Ends the thread.
    ///
    /// It may still be at its last round when this returns.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.work = nil
        }
    }

    private func startIfNeeded(_ state: inout State) {
        let process = ForkGeneration.current
        guard state.startedIn != process, !state.isStopping else { return }
        state.startedIn = process
        // That of the parent has vanished; its number may be given out again.
        state.thread = nil
        state.roundSince = nil
        // Retained for the thread, released by `tracerThreadMain` when it returns; one that vanished in a `fork` never does.
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
    }

    fileprivate func main() {
        let process = ForkGeneration.current
        state.withLock { $0.thread = .current }
        while let (work, round) = nextRound() {
            let outcome = work.look()
            // The work has forked, and this is the child: there the thread is started anew when it is needed.
            guard process == .current else { return }
            let now = clock.now()
            state.withLock { state in
                state.finished = max(state.finished, round)
                state.roundSince = nil
                state.lastRoundAt = now
                switch outcome {
                case .sleep(let until):
                    if let until { state.wakeAt = state.wakeAt.map { min($0, until) } ?? until }
                case .exit:
                    state.isStopping = true
                }
            }
        }
    }

    /// Waits until there is something to do; `nil` when there will never be again.
    private func nextRound() -> (work: Work, round: UInt64)? {
        state.wait { [clock] state in
            guard !state.isStopping, let work = state.work else { return .holds(nil) }
            let now = clock.now()
            if state.requested > state.finished || state.wakeAt.map({ $0 <= now }) == true {
                state.wakeAt = nil
                state.roundSince = now
                return .holds((work, state.requested))
            }
            return .waits(atMost: clock.runsByItself ? state.wakeAt.map { $0 - now } : nil)
        }
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
