import CLifetimeRuntime

/// How the time of birth in a record and the registry's clock belong together.
///
/// A registry on the system's clock takes the time of a birth from the cycle counter, in steps of 2^15 cycles, some
/// microseconds; one on a clock of its own asks that, and keeps whole microseconds. Of both a record holds the lower 44 bits,
/// so what counts is not how long the program runs but how old an instance gets: after 2^59 cycles (six years at 3 GHz), or
/// 203 days of a clock of its own, an age starts again at nothing.
struct Timebase: Sendable {
    private let usesTicks: Bool

    /// Where cycle counter and system clock stood at one moment.
    private static let anchor = reading()

    init(clock: any TracerClock) {
        usesTicks = clock is SystemClock
        _ = Self.anchor
    }

    /// The present, as records hold it but for the upper bits.
    func now(_ clock: any TracerClock) -> UInt64 {
        usesTicks ? lt_ticks() >> UInt64(lt_time_shift()) : clock.now().nanoseconds / 1000
    }

    /// Translates times of birth, as of now.
    func translation(asOf now: MonotonicTime) -> Translation {
        guard usesTicks else {
            return Translation(now: now.nanoseconds / 1000, at: now, nanosecondsPerStep: 1000, latest: now)
        }
        // The two clocks drift apart over days, so the rate is taken from all the time that has passed: an age that is part of
        // that is off by no more than reading the clocks takes.
        let (ticks, time) = Self.reading()
        let passedTicks = Double(ticks &- Self.anchor.ticks)
        let passed = Double(time.nanoseconds &- Self.anchor.time.nanoseconds)
        let rate = passedTicks > 0 ? passed / passedTicks : 1
        let shift = UInt64(lt_time_shift())
        return Translation(
            now: ticks >> shift, at: time, nanosecondsPerStep: rate * Double(UInt64(1) << shift), latest: now)
    }

    /// Times of birth in records, as seen from one moment.
    struct Translation: Sendable {
        private let now: UInt64
        private let time: MonotonicTime
        private let nanosecondsPerStep: Double
        private let latest: MonotonicTime

        /// - Parameters:
        ///   - now: The moment, in steps.
        ///   - time: The same moment.
        ///   - nanosecondsPerStep: How long a step is.
        ///   - latest: What no birth is later than: the cut.
        init(now: UInt64, at time: MonotonicTime, nanosecondsPerStep: Double, latest: MonotonicTime) {
            self.latest = latest
            self.now = now
            self.time = time
            self.nanosecondsPerStep = nanosecondsPerStep
        }

        /// The point in time that a record's time of birth stands for.
        func time(_ value: UInt64) -> MonotonicTime {
            // What was born after the moment, by a hair, is taken as born in it.
            let steps = (now &- value) & Self.mask
            guard steps <= Self.mask - 1000 else { return min(time, latest) }
            let age = min(Double(steps) * nanosecondsPerStep, Double(time.nanoseconds))
            return min(MonotonicTime(nanoseconds: time.nanoseconds - min(UInt64(age), time.nanoseconds)), latest)
        }

        private static let mask: UInt64 = 1 << UInt64(LT_TIME_BITS) - 1
    }

    /// Reads both at as much the same moment as can be had: a thread may be held up between the two.
    private static func reading() -> (ticks: UInt64, time: MonotonicTime) {
        var best = (ticks: UInt64(0), time: MonotonicTime(nanoseconds: 0), width: UInt64.max)
        for _ in 0..<5 {
            let before = lt_ticks()
            let time = SystemClock().now()
            let width = lt_ticks() &- before
            if width < best.width { best = (before &+ width / 2, time, width) }
        }
        return (best.ticks, best.time)
    }
}
