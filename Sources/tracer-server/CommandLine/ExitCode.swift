#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// How the program ends.
enum ExitCode: Int32, Sendable {
    /// It did what was asked; for a check: everything is within its limits.
    case success = 0
    /// It could not; for a check: something is over its limit.
    case failure = 1
    /// A check or a question that cannot tell, or output that cannot be written.
    case unknown = 2
    /// The command line cannot be understood: `EX_USAGE` of sysexits.h.
    case usage = 64

    /// Ends the program.
    func end() -> Never {
        exit(rawValue)
    }
}
