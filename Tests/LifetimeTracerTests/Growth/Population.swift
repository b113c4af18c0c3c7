@testable import LifetimeTracer

/// Instances with their births and deaths in minutes of a simulated clock.
struct Population: Sendable {
    /// One instance.
    struct Life: Sendable {
        let born: Double
        let dies: Double
    }

    private(set) var lives: [Life] = []

    /// How the instances of a part of a population live.
    enum Lifetime: Sendable {
        case forever
        /// The same for each instance.
        case exactly(Double)
        /// Evenly distributed from zero to a maximum.
        case upTo(Double)
        /// Exponentially distributed around a mean.
        case around(Double)

        fileprivate func minutes(_ random: inout SeededRandom) -> Double {
            switch self {
            case .forever: .infinity
            case .exactly(let minutes): minutes
            case .upTo(let minutes): minutes * random.next()
            case .around(let minutes): -minutes * random.nextLogarithm()
            }
        }
    }

    /// Adds instances that all exist at a moment.
    func with(_ count: Int, at minute: Double = 0, living lifetime: Lifetime = .forever) -> Self {
        var (copy, random) = (self, SeededRandom(seed: UInt64(count + lives.count)))
        for _ in 0..<count { copy.add(minute, lifetime.minutes(&random)) }
        return copy
    }

    /// Adds births at even intervals.
    func evenly(
        _ perMinute: Double, from start: Double = 0, to end: Double, living lifetime: Lifetime = .forever
    ) -> Self {
        var (copy, random) = (self, SeededRandom(seed: UInt64(lives.count + 1)))
        var minute = start + 0.5 / perMinute
        while minute < end {
            copy.add(minute, lifetime.minutes(&random))
            minute += 1 / perMinute
        }
        return copy
    }

    /// Adds births at random times, with a rate that may depend on the minute.
    func randomly(
        from start: Double = 0, to end: Double, living lifetime: Lifetime = .forever, seed: UInt64 = 0,
        perMinute: (Double) -> Double
    ) -> Self {
        var (copy, random) = (self, SeededRandom(seed: seed + UInt64(lives.count + 2)))
        var minute = start
        while minute < end {
            minute -= random.nextLogarithm() / max(0.001, perMinute(minute))
            if minute < end { copy.add(minute, lifetime.minutes(&random)) }
        }
        return copy
    }

    /// Adds a number of births again and again.
    func bursts(
        of count: Int, every interval: Double, from start: Double = 0, to end: Double, living lifetime: Lifetime
    ) -> Self {
        stride(from: start + 0.3, to: end, by: interval).reduce(self) { $0.with(count, at: $1, living: lifetime) }
    }

    /// Adds instances that gather evenly and die together, again and again.
    func teeth(of length: Double, perMinute: Double, to end: Double) -> Self {
        var copy = self
        for start in stride(from: 0, to: end, by: length) {
            for step in 0..<Int(length * perMinute) {
                let born = start + Double(step) / perMinute
                copy.add(born, start + length - 0.01 - born)
            }
        }
        return copy
    }

    /// Adds a cache that evicts its oldest entry when it is full.
    func cache(of size: Int, perMinute: Double, to end: Double) -> Self {
        evenly(perMinute, to: end, living: .exactly(Double(size) / perMinute))
    }

    private mutating func add(_ born: Double, _ lifetime: Double) {
        lives.append(Life(born: born, dies: born + lifetime))
    }

    /// Calls `body` with the counts at the end of each minute.
    func forEachMinute(to end: Int, _ body: (Int, AgeCounts) -> Void) {
        var coming = lives.sorted { $0.born > $1.born }
        var live: [Life] = []
        for minute in 1...end {
            let now = Double(minute)
            while let next = coming.last, next.born < now {
                live.append(next)
                coming.removeLast()
            }
            live.removeAll { $0.dies <= now }
            var ages = AgeCounts()
            for life in live { ages.add(age: minute - 1 - Int(life.born)) }
            body(minute, ages)
        }
    }
}

/// A random number generator that repeats its numbers.
struct SeededRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678
    }

    /// A number from 0 to less than 1.
    mutating func next() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state >> 11) / Double(1 << 53)
    }

    /// The logarithm of a number from 0 to 1.
    mutating func nextLogarithm() -> Double {
        // By the series of the inverse hyperbolic tangent, because the tests of the core import no C library.
        var (mantissa, exponent) = (max(next(), 1e-12), 0)
        while mantissa < 0.5 {
            mantissa *= 2
            exponent -= 1
        }
        let ratio = (mantissa - 1) / (mantissa + 1)
        var (power, sum) = (ratio, 0.0)
        for step in 0..<20 {
            sum += power / Double(2 * step + 1)
            power *= ratio * ratio
        }
        return 2 * sum + Double(exponent) * 0.693_147_180_559_945_3
    }
}
