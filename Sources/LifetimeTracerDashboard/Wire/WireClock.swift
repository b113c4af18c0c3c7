import LifetimeTracer

/// Converts times of a registry's clock to wire values, relative to one moment.
struct WireClock: Sendable {
    /// The moment that ages are relative to.
    let now: MonotonicTime

    /// The wall-clock time at `now`: a number, because each copy of a reference to the registry would retain it.
    private let wallNow: WallTime

    init(_ registry: LifetimeRegistry, now: MonotonicTime) {
        self.now = now
        wallNow = registry.wallTime(at: now)
    }

    /// Returns the wall-clock time.
    func timestamp(_ time: MonotonicTime) -> Timestamp {
        let passed = Int64(truncatingIfNeeded: time.nanoseconds &- now.nanoseconds)
        return Timestamp(WallTime(nanosecondsSince1970: wallNow.nanosecondsSince1970 &+ passed))
    }

    /// Returns the time that has passed since `time`.
    func age(_ time: MonotonicTime) -> DecimalNumber {
        .seconds(from: time, to: now)
    }

    /// Returns the time that has passed since a wall-clock time.
    func age(_ time: WallTime) -> DecimalNumber {
        .seconds(.nanoseconds(wallNow.nanosecondsSince1970 - time.nanosecondsSince1970))
    }
}
