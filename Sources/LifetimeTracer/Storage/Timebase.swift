import CLifetimeRuntime

/// Converts the times of births and deaths to the time of the registry's clock.
///
/// A registry on the system clock takes these times from the cycle counter, in steps of 2^15 cycles, which is
/// some microseconds. A registry on another clock reads that clock, in microseconds. In both cases a record holds the
/// lower 44 bits. So the limit is the age of an instance, not the uptime of the program: after 2^59 cycles (six years
/// at 3 GHz), or 203 days of another clock, an age wraps around to zero.
struct Timebase: Sendable {
    /// Whether the times are those of the cycle counter.
    let usesTicks: Bool

    /// A simultaneous reading of the cycle counter and the system clock.
    private static let anchor = reading()

    init(clock: any TracerClock) {
        usesTicks = clock is SystemClock
        _ = Self.anchor
    }

    /// The present in the unit of the records, before the upper bits are cut off.
    func now(_ clock: any TracerClock) -> UInt64 {
        usesTicks ? lt_ticks() >> UInt64(lt_time_shift()) : clock.now().nanoseconds / 1000
    }

    /// Returns the translation of times of birth as of now.
    func translation(asOf now: MonotonicTime) -> Translation {
        guard usesTicks else {
            return Translation(now: now.nanoseconds / 1000, at: now, nanosecondsPerStep: 1000, latest: now)
        }
        // The two clocks drift apart over days, so the rate is averaged over the whole time since the anchor. The error
        // of an age within that time is no more than the error of reading the clocks.
        let (ticks, time) = Self.reading()
        let passedTicks = Double(ticks &- Self.anchor.ticks)
        let passed = Double(time.nanoseconds &- Self.anchor.time.nanoseconds)
        let rate = passedTicks > 0 ? passed / passedTicks : 1
        let shift = UInt64(lt_time_shift())
        return Translation(
            now: ticks >> shift, at: time, nanosecondsPerStep: rate * Double(UInt64(1) << shift), latest: now,
            hasGaps: true)
    }

    /// Translates times of birth in records, as of one moment.
    struct Translation: Sendable {
        private let now: UInt64
        private let time: MonotonicTime
        private let nanosecondsPerStep: Double
        private let latest: MonotonicTime
        private let hasGaps: Bool

        /// - Parameters:
        ///   - now: The moment in steps.
        ///   - time: The same moment on the registry's clock.
        ///   - nanosecondsPerStep: The length of a step.
        ///   - latest: The upper bound of all times of birth: the time of the cut.
        ///   - hasGaps: Whether a time of birth may be that of the last step before a gap of the clock thread.
        init(
            now: UInt64, at time: MonotonicTime, nanosecondsPerStep: Double, latest: MonotonicTime,
            hasGaps: Bool = false
        ) {
            self.hasGaps = hasGaps
            self.latest = latest
            self.now = now
            self.time = time
            self.nanosecondsPerStep = nanosecondsPerStep
        }

        /// Returns the time that a record's time of birth stands for.
        func time(_ value: UInt64) -> MonotonicTime {
            timeRead(hasGaps ? lt_time_after_gap(value) : value)
        }

        /// Returns the time of a value of ``Timebase/now(_:)``.
        func timeRead(_ value: UInt64) -> MonotonicTime {
            // A value slightly after the moment counts as the moment.
            let steps = (now &- value) & Self.mask
            guard steps <= Self.mask - 1000 else { return min(time, latest) }
            let age = min(Double(steps) * nanosecondsPerStep, Double(time.nanoseconds))
            return min(MonotonicTime(nanoseconds: time.nanoseconds - min(UInt64(age), time.nanoseconds)), latest)
        }

        private static let mask: UInt64 = 1 << UInt64(LT_TIME_BITS) - 1
    }

    /// Reads both clocks as simultaneously as possible, because the thread may be preempted between the two readings.
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
