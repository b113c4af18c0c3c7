import CForkBarrier
import TracerBase

/// The thread on which a registry reaches its verdicts and calls its verdict observers.
///
/// The thread starts when it is first needed, and sleeps until the next requested time: an idle registry causes no
/// wake-ups.
///
/// A fork child does not have the thread. The thread is started there on the next request, and then catches up.
///
/// If the system refuses the thread, the start is retried at each request for a check and each query of the registry's
/// numbers. Until then callers of ``runAndWait()`` do the work themselves.
final class TracerThread: Sendable {
    /// Checks everything that is due, and returns when to check again.
    struct Work: Sendable {
        let look: @Sendable () -> Outcome
    }

    /// The result of the work.
    enum Outcome: Sendable {
        /// Check again at this time, or on request.
        case sleep(until: MonotonicTime?)
        /// The thread has no more work and ends.
        case exit
    }

    private struct State: LockedState {
        /// The process in which the thread was started.
        var startedIn: ForkGeneration?
        var isStopping = false
        // Set by the thread before its first round, so that work that requests more can tell that it already runs on
        // the thread.
        var thread: ThreadIdentity?
        var wakeAt: MonotonicTime?
        var work: Work?
        // The numbers of requested and finished rounds, so that a caller can wait for its own round.
        var requested: UInt64 = 0
        var finished: UInt64 = 0
        /// The start of the current round.
        var roundSince: MonotonicTime?
        /// The end of the last round.
        var lastRoundAt: MonotonicTime?
        /// How often the system refused to start the thread.
        var refusals = 0
        /// The time of the last refusal on the system clock.
        var refusedAt: MonotonicTime?
        /// The caller that does the work because the thread does not exist.
        var worker: Worker?
    }

    /// The current activity of the thread.
    struct Activity: Sendable {
        /// The start of the current round; `nil` while the thread sleeps or does not exist.
        let roundSince: MonotonicTime?
        /// The end of the last round; `nil` before the first.
        let lastRoundAt: MonotonicTime?
        /// The time at which the next round is due; `nil` if none is, or on a clock that does not advance by itself.
        let due: MonotonicTime?
    }

    /// A thread that waits for a round and does its work itself.
    private struct Worker: Equatable, Sendable {
        let thread: ThreadIdentity
        let process: ForkGeneration

        static var current: Self { Self(thread: .current, process: .current) }

        /// Whether the worker still exists: in a fork child only the thread that forked does.
        var exists: Bool { process == .current || thread == .current }
    }

    /// How long after a refusal ``wake(by:)`` does not retry, because each attempt costs some microseconds.
    private static let retryInterval = Duration.milliseconds(100)

    /// How often the system refused to start the thread.
    var refusals: Int { state.read { $0.refusals } }

    private let clock: any TracerClock
    private let state = Monitor(State())

    init(clock: any TracerClock) {
        self.clock = clock
    }

    /// Sets the thread's work.
    ///
    /// Must be called once, before any other method.
    func prepare(_ look: @escaping @Sendable () -> Outcome) {
        state.withLock { $0.work = Work(look: look) }
    }

    /// Requests a check no later than at `time`.
    func wake(by time: MonotonicTime) {
        // If the thread sleeps until a round that is due by then, nobody needs to wake it: that round sees all that was
        // recorded before this call. With a clock that does not run by itself, the thread sleeps until it is woken.
        let sleepsUntilThen =
            clock.runsByItself
            && state.read { $0.startedIn == .current && $0.wakeAt.map { $0 <= time } == true }
        if sleepsUntilThen { return }
        state.withLock { state in
            let isJustRefused = state.refusedAt.map { SystemClock().now() - $0 < Self.retryInterval } ?? false
            if !isJustRefused { startIfNeeded(&state) }
            state.wakeAt = state.wakeAt.map { min($0, time) } ?? time
        }
    }

    /// The current activity of the thread, read without waiting for it.
    var activity: Activity {
        state.read { state in
            // A round that was in progress during a `fork` does not exist in the child, because its thread does not.
            let isHere = state.startedIn == .current
            return Activity(
                roundSince: isHere ? state.roundSince : nil, lastRoundAt: state.lastRoundAt,
                due: clock.runsByItself ? state.wakeAt : nil)
        }
    }

    /// Requests a round now, and returns when it has finished.
    ///
    /// On the thread itself, the work is done in place.
    func runAndWait() {
        let (ownWork, round) = state.withLock { state -> (Work?, UInt64) in
            let isOnThread = state.startedIn == .current && state.thread == .current
            if isOnThread || state.worker?.thread == .current { return (state.work, 0) }
            startIfNeeded(&state)
            state.requested += 1
            return (nil, state.requested)
        }
        if let ownWork {
            _ = ownWork.look()
            return
        }
        // Without a thread, one of the waiting callers does the work, for all requests made before it begins.
        while let (work, reached) = waitOrWork(for: round) {
            let outcome = work.look()
            state.withLock { state in
                state.worker = nil
                finish(reached, outcome, &state)
            }
        }
    }

    /// Retries the start of a thread that was refused.
    func retryStart() {
        guard state.read({ $0.refusedAt != nil && $0.wakeAt != nil }) else { return }
        state.withLock { state in
            if state.refusedAt != nil, state.wakeAt != nil { startIfNeeded(&state) }
        }
    }

    /// Waits until a round has finished; returns the work if the caller has to do it.
    private func waitOrWork(for round: UInt64) -> (work: Work, round: UInt64)? {
        state.wait { state in
            if state.finished >= round || state.isStopping { return .holds(nil) }
            guard state.startedIn != .current, state.worker?.exists != true, let work = state.work else {
                return .waits(atMost: nil)
            }
            state.worker = .current
            state.roundSince = clock.now()
            state.wakeAt = nil
            return .holds((work, state.requested))
        }
    }

    private func finish(_ round: UInt64, _ outcome: Outcome, _ state: inout State) {
        state.finished = max(state.finished, round)
        state.roundSince = nil
        state.lastRoundAt = clock.now()
        switch outcome {
        case .sleep(let until):
            if let until { state.wakeAt = state.wakeAt.map { min($0, until) } ?? until }
        case .exit:
            state.isStopping = true
        }
    }

    /// Ends the thread, which may still be in its last round when this method returns.
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
        // The parent's thread does not exist here, and its identity may be reused.
        state.thread = nil
        state.roundSince = nil
        do throws(ThreadError) {
            try SystemThread.detach(named: "tracer") { [self] in main() }
            state.refusedAt = nil
        } catch {
            state.startedIn = nil
            state.refusals += 1
            state.refusedAt = SystemClock().now()
        }
    }

    private func main() {
        let process = ForkGeneration.current
        state.withLock { $0.thread = .current }
        while let (work, round) = nextRound() {
            let outcome = work.look()
            // The work has forked, and this is the child, where the thread is started anew when it is needed.
            guard process == .current else { return }
            state.withLock { finish(round, outcome, &$0) }
        }
    }

    /// Waits until work is due; `nil` if the thread has to end.
    ///
    /// Apart from the wait, all of it happens inside the fork barrier. The first call makes metadata of generic types,
    /// for which Swift's runtime takes locks. If the process forked meanwhile, the child could never use that metadata.
    private func nextRound() -> (work: Work, round: UInt64)? {
        lt_fork_enter()
        defer { lt_fork_leave() }
        return state.wait { [clock] state in
            guard !state.isStopping, let work = state.work else { return .holds(nil) }
            // Rounds run one at a time, and a caller may have begun one while the thread did not exist.
            if state.worker?.exists == true { return .waits(atMost: nil) }
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
