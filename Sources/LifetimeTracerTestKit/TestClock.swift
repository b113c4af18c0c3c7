public import LifetimeTracer

/// A clock for the code under test that stands still until the test lets it go on.
///
/// ```swift
/// let clock = TestClock()
/// let poller = Poller(every: .seconds(60), on: clock)
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(60))
/// ```
/// Code that sleeps on `any Clock<Duration>` sleeps on this one; ``tracer`` is the same time for a registry, whose deadlines then fall
/// due when the test says so. To be used from any thread.
public final class TestClock: Clock {
    /// A point in time: how far the clock had been advanced.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let elapsed: Duration

        /// The point that lies a duration later.
        public func advanced(by duration: Duration) -> Self { Self(elapsed: elapsed + duration) }
        /// The time from this point to another.
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

    /// The same time for a registry, which is made with it as its clock.
    ///
    /// Call the registry's `check()` after an advance.
    public let tracer = ManualClock()

    private let state = Locked(State())

    /// Creates a clock that has not been advanced.
    public init() {}

    /// How far it has been advanced.
    public var now: Instant { state.withLock { $0.now } }
    /// A nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }
    /// How many tasks sleep on it.
    public var sleeping: Int { state.withLock { $0.sleepers.count } }

    /// Lets time pass, and wakes the tasks whose time has come, the earliest first.
    ///
    /// - Parameter duration: How much; must not be negative, as time never goes back.
    public func advance(by duration: Duration) {
        // Checks that, and goes first: whoever wakes finds the registry's time as late as this one's.
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

    /// Waits until so many tasks sleep on it, at most for a while.
    ///
    /// - Returns: Whether they do.
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

    /// Sleeps until the clock has been advanced to a point in time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        // From here on nobody cancels this sleep any more.
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
            // It has not begun yet, or is over.
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
