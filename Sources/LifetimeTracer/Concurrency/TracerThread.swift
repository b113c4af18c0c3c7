/// The thread on which a registry reaches its verdicts and calls its verdict observers.
///
/// It starts when it is first needed and sleeps until the next point in time that somebody asked for: an idle registry costs
/// no wake-ups.
///
/// A child of `fork` does not have the thread. It starts there when something asks for it, and then catches up.
///
/// Where the system refuses the thread it is tried again whenever somebody asks for a look, or for the registry's numbers. Until then
/// callers of ``runAndWait()`` do the work themselves.
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
        /// How often the system refused to start the thread.
        var refusals: UInt64 = 0
        /// When it was refused last, by the system's clock.
        var refusedAt: MonotonicTime?
        /// Who does the work because there is no thread.
        var worker: Worker?
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

    /// A thread that waits for a round, and does it itself.
    private struct Worker: Equatable, Sendable {
        let thread: ThreadIdentity
        let process: ForkGeneration

        static var current: Self { Self(thread: .current, process: .current) }

        /// Whether it still works: in a child of `fork` only who forked does.
        var exists: Bool { process == .current || thread == .current }
    }

    /// How long after a refusal ``wake(by:)`` does not try again: each attempt costs some microseconds.
    private static let retryInterval = Duration.milliseconds(100)

    /// How often the system refused to start the thread.
    var refusals: UInt64 { state.withLock { $0.refusals } }

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
            let isJustRefused = state.refusedAt.map { SystemClock().now() - $0 < Self.retryInterval } ?? false
            if !isJustRefused { startIfNeeded(&state) }
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
        // Without a thread one of those who wait does the work, for all who asked before it begins.
        while let (work, reached) = waitOrWork(for: round) {
            let outcome = work.look()
            state.withLock { state in
                state.worker = nil
                finish(reached, outcome, &state)
            }
        }
    }

    /// Tries once more to start a thread that was refused.
    func retryStart() {
        state.withLock { state in
            if state.refusedAt != nil, state.wakeAt != nil { startIfNeeded(&state) }
        }
    }

    /// Waits until a round is finished; returns the work if the caller has to do it.
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
        let failure = DetachedThread.start { [self] in main() }
        guard failure != 0 else {
            state.refusedAt = nil
            return
        }
        state.startedIn = nil
        state.refusals += 1
        state.refusedAt = SystemClock().now()
    }

    private func main() {
        let process = ForkGeneration.current
        state.withLock { $0.thread = .current }
        while let (work, round) = nextRound() {
            let outcome = work.look()
            // The work has forked, and this is the child: there the thread is started anew when it is needed.
            guard process == .current else { return }
            state.withLock { finish(round, outcome, &$0) }
        }
    }

    /// Waits until there is something to do; `nil` when there will never be again.
    private func nextRound() -> (work: Work, round: UInt64)? {
        state.wait { [clock] state in
            guard !state.isStopping, let work = state.work else { return .holds(nil) }
            // One round at a time: a caller may have begun one when there was no thread.
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
