import LifetimeTracer

/// Turns points of a registry's clock into what is sent, all as seen from one moment.
struct WireClock: Sendable {
    /// The moment.
    let now: MonotonicTime

    private let registry: LifetimeRegistry

    init(_ registry: LifetimeRegistry, now: MonotonicTime) {
        self.registry = registry
        self.now = now
    }

    /// The time of day.
    func timestamp(_ time: MonotonicTime) -> Timestamp {
        Timestamp(registry.wallTime(at: time))
    }

    /// How long ago it was.
    func age(_ time: MonotonicTime) -> DecimalNumber {
        .seconds(now - time)
    }

    /// How long ago it was, for a time of day.
    func age(_ time: WallTime) -> DecimalNumber {
        let now = registry.wallTime(at: now)
        return .seconds(.nanoseconds(now.nanosecondsSince1970 - time.nanosecondsSince1970))
    }
}
