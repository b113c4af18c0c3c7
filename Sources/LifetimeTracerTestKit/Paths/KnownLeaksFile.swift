import LifetimeTracer
import RetainPaths

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The known leaks of the file that `LIFETIME_TRACER_KNOWN_LEAKS` names; the dashboard reads the same variable.
///
/// The file is read once, when the first leak is found.
enum KnownLeaksFile {
    /// The known leaks; empty if no file is named or the file cannot be used.
    static var leaks: KnownLeaks { contents.leaks }
    /// Why the file cannot be used, or `nil`.
    static var obstacle: String? { contents.obstacle }

    private static let contents: (leaks: KnownLeaks, obstacle: String?) = {
        guard let path = getenv("LIFETIME_TRACER_KNOWN_LEAKS").map({ String(cString: $0) }), !path.isEmpty else {
            return (KnownLeaks(), nil)
        }
        do throws(KnownLeaksError) {
            return (try KnownLeaks(contentsOf: path), nil)
        } catch {
            return (KnownLeaks(), "No leak counts as known, because LIFETIME_TRACER_KNOWN_LEAKS is invalid: \(error)")
        }
    }()
}
