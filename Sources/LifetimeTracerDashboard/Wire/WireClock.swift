import LifetimeTracer

/// Converts times of a registry's clock to wire values, relative to one moment.
struct WireClock: Sendable {
    /// The moment that ages are relative to.
    let now: MonotonicTime

    private let registry: LifetimeRegistry

    init(_ registry: LifetimeRegistry, now: MonotonicTime) {
        self.registry = registry
        self.now = now
    }

    /// Returns the wall-clock time.
    func timestamp(_ time: MonotonicTime) -> Timestamp {
        Timestamp(registry.wallTime(at: time))
    }

    /// Returns the time that has passed since `time`.
    func age(_ time: MonotonicTime) -> DecimalNumber {
        .seconds(from: time, to: now)
    }

    /// Returns the time that has passed since a wall-clock time.
    func age(_ time: WallTime) -> DecimalNumber {
        let now = registry.wallTime(at: now)
        return .seconds(.nanoseconds(now.nanosecondsSince1970 - time.nanosecondsSince1970))
    }
}
