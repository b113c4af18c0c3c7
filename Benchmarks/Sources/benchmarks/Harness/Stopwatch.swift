import CBenchmarks

/// Nanoseconds of a monotonic clock.
enum Stopwatch {
    static func now() -> UInt64 { bench_nanoseconds() }

    /// The duration of `body` in nanoseconds.
    static func time(_ body: () -> Void) -> Double {
        let start = now()
        body()
        return Double(now() - start)
    }
}
