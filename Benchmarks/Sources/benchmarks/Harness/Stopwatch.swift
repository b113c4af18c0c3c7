import CBenchmarks

/// Nanoseconds of a clock that is never set.
enum Stopwatch {
    static func now() -> UInt64 { bench_nanoseconds() }

    /// How many nanoseconds `body` takes.
    static func time(_ body: () -> Void) -> Double {
        let start = now()
        body()
        return Double(now() - start)
    }
}
