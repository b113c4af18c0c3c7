#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The exit codes of the program.
enum ExitCode: Int32, Sendable {
    /// The command succeeded; for a check: all counts are within their limits.
    case success = 0
    /// The command failed; for a check: a count exceeds its limit.
    case failure = 1
    /// The result of a check or a question is unknown, or the output could not be written.
    case unknown = 2
    /// A program ran to its end, and has leaks that are not known.
    case leaks = 3
    /// The command line is invalid: `EX_USAGE` of sysexits.h.
    case usage = 64
    /// SIGINT (Control-C) ended the command: 128 and the number of the signal, as shells report it.
    case interrupted = 130
    /// SIGTERM ended the command.
    case terminated = 143

    /// Ends the program.
    func end() -> Never {
        exit(rawValue)
    }
}
