import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where this process trapped, for the children of exit tests.
package enum Traps {
    /// From now on a trap is told as an issue, with the calls that led to it, before the process ends by its signal.
    ///
    /// Names are found in a signal handler, which is not allowed to take the locks that this takes: where that hangs an alarm
    /// ends the process.
    package static func tell() {
        signal(SIGILL) { number in
            signal(number, SIG_DFL)
            alarm(20)
            Issue.record("a trap: \(Traps.calls())")
            raise(number)
        }
    }

    /// The calls that led here, innermost first.
    private static func calls() -> String {
        // The module hides the function, not the library.
        guard let symbol = dlsym(nil, "backtrace") else { return "no calls are known" }
        // Safe because this is its signature in backtrace(3), and the array has room for as many frames as are asked for.
        typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, CInt) -> CInt
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: 32)
        let count = unsafeBitCast(symbol, to: Backtrace.self)(&frames, CInt(frames.count))
        return frames.prefix(Int(count)).map { frame in
            let symbol = Symboliser.shared.symbol(at: UInt(bitPattern: frame))
            return symbol.map { "\($0.name) + \($0.offset)" } ?? "?"
        }.joined(separator: " ← ")
    }
}
