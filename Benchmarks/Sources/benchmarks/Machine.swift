import CBenchmarks
import CLifetimeRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The machine on which the benchmarks run.
enum Machine {
    /// The names and texts of the facts.
    static var facts: [(name: String, text: String)] {
        [
            ("processor", processor ?? "unknown"),
            ("processors in use", "\(bench_processors())"),
            ("system", system),
            ("primitives", primitives),
            ("births and deaths", form),
        ]
    }

    private static var form: String {
        lt_current_stripe_form() == LT_STRIPES_PLAIN ? "plain stores" : "locked instructions"
    }

    /// The cost of what tracers are made of, which tells a slow processor from a slow tracer.
    private static var primitives: String {
        let names = [
            (BENCH_EXCHANGE, "locked exchange"), (BENCH_CYCLES, "cycle counter"),
            (BENCH_MONOTONIC_CLOCK, "monotonic clock"), (BENCH_MALLOC, "malloc and free"),
            (BENCH_MEMBARRIER, "membarrier"),
        ]
        return names.map { primitive, name in
            let cost = bench_cost(primitive)
            return cost < 0 ? "no \(name)" : "\(name) \(Double(Int(cost * 10)) / 10) ns"
        }.joined(separator: ", ")
    }

    private static var processor: String? {
        guard let text = try? FileText.read("/proc/cpuinfo") else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " }) }
    }

    private static var system: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return "\(text(names.sysname)) \(text(names.release)), \(text(names.machine))"
    }

    /// The text in a fixed-size C array of `utsname`.
    private static func text<Array>(_ array: Array) -> String {
        withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
