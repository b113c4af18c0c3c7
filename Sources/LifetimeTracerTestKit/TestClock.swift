public import LifetimeTracer

/// A clock for the code under test that stands still until the test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let poller = Poller(every: .seconds(60), on: clock)
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(60))
/// ```
/// Code that sleeps on `any Clock<Duration>` can sleep on this clock. ``tracer`` gives a registry the same time, so
/// that its deadlines fall due when the test advances the clock. Can be used from any thread.
public final class TestClock: Clock {
    /// A point in time, as the total time by which the clock had been advanced.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public let elapsed: Duration

        /// Returns the point that is later by a duration.
        public func advanced(by duration: Duration) -> Self { Self(elapsed: elapsed + duration) }
        /// Returns the time from this point to another.
        public func duration(to other: Self) -> Duration { other.elapsed - elapsed }
        /// Whether one point is earlier than another.
        public static func < (left: Self, right: Self) -> Bool { left.elapsed < right.elapsed }
    }

    private struct Sleeper: Sendable {
        let due: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: LockedState {
        var now = Instant(elapsed: .zero)
        var last: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        /// Sleeps that were cancelled before they began.
        var cancelled: Set<UInt64> = []
        var waiters: [(count: Int, signal: Signal)] = []
    }

    /// The same time as a clock for a registry; pass it to the registry's initializer.
    ///
    /// Call the registry's `check()` after an advance.
    public let tracer = ManualClock()

    private let state = Locked(State())

    /// Creates a clock that has not been advanced.
    public init() {}

    /// The time by which the clock has been advanced.
    public var now: Instant { state.withLock { $0.now } }
    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }
    /// The number of tasks that sleep on the clock.
    public var sleeping: Int { state.withLock { $0.sleepers.count } }

    /// Advances the clock, and wakes the tasks whose sleep has ended, earliest first.
    ///
    /// - Parameter duration: The time to advance by; must not be negative.
    public func advance(by duration: Duration) {
        // `tracer` traps on a negative duration. It advances first, so that a task that wakes finds the registry's time
        // up to date.
        tracer.advance(by: duration)
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.due <= state.now }
                .sorted { ($0.value.due.elapsed, $0.key) < ($1.value.due.elapsed, $1.key) }
            for (id, _) in due { state.sleepers[id] = nil }
            return due.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until at least a number of tasks sleep on the clock, with a timeout.
    ///
    /// - Returns: Whether that many tasks sleep.
    @discardableResult
    public func sleepers(_ count: Int, within limit: Duration = .seconds(10)) async -> Bool {
        let signal = state.withLock { state -> Signal? in
            guard state.sleepers.count < count else { return nil }
            let signal = Signal()
            state.waiters.append((count, signal))
            return signal
        }
        guard let signal else { return true }
        let outcome = await signal.wait(until: .now + limit)
        state.withLock { $0.waiters.removeAll { $0.signal === signal } }
        return outcome == .happened
    }

    /// Sleeps until the clock reaches a point in time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        // Runs when the sleep can no longer be cancelled, so the id is not added again.
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(id, Sleeper(due: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func begin(_ id: UInt64, _ sleeper: Sleeper) {
        enum Beginning {
            case asleep([Signal])
            case due
            case cancelled
        }
        let beginning = state.withLock { state -> Beginning in
            guard state.cancelled.remove(id) == nil else { return .cancelled }
            guard sleeper.due > state.now else { return .due }
            state.sleepers[id] = sleeper
            return .asleep(state.waiters.filter { $0.count <= state.sleepers.count }.map(\.signal))
        }
        switch beginning {
        case .asleep(let signals): for signal in signals { signal.fire() }
        case .due: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: UInt64) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: id)
            // The sleep has not begun yet, or is over.
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
