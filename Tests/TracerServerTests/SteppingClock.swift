import LifetimeTracer

@testable import tracer_server

/// A clock whose time passes only in `sleep`, which returns at once.
///
/// On a busy machine, a test may take any time between two polls. With this clock, that time does not count.
struct SteppingClock: Clock {
    struct Instant: InstantProtocol {
        var sinceStart = Swift.Duration.zero

        func advanced(by duration: Swift.Duration) -> Self { Self(sinceStart: sinceStart + duration) }
        func duration(to other: Self) -> Swift.Duration { other.sinceStart - sinceStart }
        static func < (one: Self, other: Self) -> Bool { one.sinceStart < other.sinceStart }
    }

    private struct State: LockedState {
        var now = Instant()
    }

    private let state = Locked(State())

    var now: Instant { state.withLock { $0.now } }
    let minimumResolution = Swift.Duration.zero

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { $0.now = max($0.now, deadline) }
    }
}
