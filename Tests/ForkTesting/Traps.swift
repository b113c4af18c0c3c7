import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reports traps in the children of exit tests.
package enum Traps {
    /// Makes each later trap record an issue with the call stack before the signal ends the process.
    ///
    /// The signal handler looks up names and takes locks for that, which a signal handler must not do. If it hangs, an
    /// alarm ends the process.
    package static func tell() {
        signal(SIGILL) { number in
            signal(number, SIG_DFL)
            alarm(20)
            Issue.record("a trap: \(Traps.calls())")
            raise(number)
        }
    }

    /// The current call stack, innermost call first.
    private static func calls() -> String {
        // Swift does not import `backtrace`, but the library contains it.
        guard let symbol = dlsym(nil, "backtrace") else { return "no calls are known" }
        // Safe because this is its signature in backtrace(3), and the array has room for the requested number of
        // frames.
        typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, CInt) -> CInt
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: 32)
        let count = unsafeBitCast(symbol, to: Backtrace.self)(&frames, CInt(frames.count))
        return frames.prefix(Int(count)).map { frame in
            let symbol = Symboliser.shared.symbol(at: UInt(bitPattern: frame))
            return symbol.map { "\($0.name) + \($0.offset)" } ?? "?"
        }.joined(separator: " ← ")
    }
}
