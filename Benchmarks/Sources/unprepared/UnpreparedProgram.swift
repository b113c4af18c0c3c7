import CBenchmarks

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A program without LifetimeTracer, for the cost of `tracer-server run`: prints one figure of its own.
@main
enum UnpreparedProgram {
    static func main() {
        let arguments = CommandLine.arguments
        switch (arguments.dropFirst().first, arguments.dropFirst(2).first.flatMap { Int($0) }) {
        case ("pair", let count?): print(least { pairs(count) } / Double(count))
        case ("ring", let count?): print(least { ring(count) } / Double(count))
        case ("retain", let count?): print(least { retains(count) } / Double(count))
        case ("two-fields", let count?): print(peak { hold(count) { TwoFields($0) } })
        case ("one-field", let count?): print(peak { hold(count) { OneField($0) } })
        case ("line", nil): print("a line")
        default:
            bench_complain("usage: unprepared pair|ring|retain|two-fields|one-field COUNT, or unprepared line\n")
            exit(2)
        }
    }

    /// Returns the nanoseconds of the fastest of several runs: other programs only slow a run down.
    private static func least(_ body: () -> Void) -> Double {
        (0..<9).map { _ in
            let start = bench_nanoseconds()
            body()
            return Double(bench_nanoseconds() - start)
        }.min() ?? 0
    }

    @inline(never)
    private static func pairs(_ count: Int) {
        for number in 0..<count { bench_keep(address(of: TwoFields.make(number))) }
    }

    /// Each object replaces the oldest of 1,024.
    @inline(never)
    private static func ring(_ count: Int) {
        var ring = (0..<1024).map(TwoFields.make)
        for number in 0..<count { ring[number & 1023] = TwoFields.make(number) }
        bench_keep(address(of: ring[0]))
    }

    @inline(never)
    private static func retains(_ count: Int) {
        let object = TwoFields.make(1)
        for _ in 0..<count {
            // Safe: each retain is followed by its release while `object` is alive.
            let reference = Unmanaged.passRetained(object)
            bench_keep(reference.toOpaque())
            reference.release()
        }
        withExtendedLifetime(object) {}
    }

    @inline(never)
    private static func hold<Object: AnyObject>(_ count: Int, _ make: (Int) -> Object) {
        let objects = (0..<count).map(make)
        bench_keep(address(of: objects[count - 1]))
        withExtendedLifetime(objects) {}
    }

    /// Returns the most bytes that were resident in the process so far, after `body`.
    private static func peak(_ body: () -> Void) -> UInt64 {
        body()
        return bench_peak_resident_bytes()
    }

    private static func address(of object: AnyObject) -> UnsafeRawPointer {
        // Safe: the address is shown to the compiler and not read.
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}

/// The class of the pairs, as in the other benchmarks.
private final class TwoFields {
    var first: Int
    var second: Int

    init(_ value: Int) {
        first = value
        second = ~value
    }

    @inline(never)
    static func make(_ value: Int) -> TwoFields { TwoFields(value) }
}

/// The smallest class with a field.
///
/// `malloc` has no byte left in the block of an instance, so the trailer takes 16 bytes.
private final class OneField {
    var only: Int

    init(_ value: Int) { only = value }
}
