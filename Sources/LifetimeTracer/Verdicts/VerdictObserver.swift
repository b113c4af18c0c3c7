#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What to do with each verdict.
///
/// It is called on the tracer's own thread, outside all locks, one verdict after the other; a slow one delays those behind it
/// and nothing else.
public struct VerdictObserver: Sendable {
    let receive: @Sendable (Verdict) -> Void

    /// Hands each verdict to a closure.
    public static func closure(_ body: @escaping @Sendable (Verdict) -> Void) -> Self {
        Self(receive: body)
    }

    /// Writes each verdict to standard error, a line each.
    public static var standardError: Self {
        Self { verdict in
            let label = verdict.label.map { " \"\($0)\"" } ?? ""
            let instance = verdict.instance.map { " [#\($0)\(label)]" } ?? ""
            let text = "LifetimeTracer: \(verdict.kind.rawValue): \(verdict.message)\(instance)"
            let line = Array((text.withoutControlCharacters + "\n").utf8)
            // One write a line, so that lines of several threads do not mix.
            _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    /// Ends the program with an assertion failure at the first verdict of these kinds, in debug builds only.
    ///
    /// - Parameter kinds: The kinds that end it; by default an overdue instance and an orphaned token.
    public static func assertionFailure(on kinds: Set<Verdict.Kind> = [.overdue, .orphanedToken]) -> Self {
        Self { verdict in
            guard kinds.contains(verdict.kind) else { return }
            Swift.assertionFailure(verdict.message)
        }
    }
}

/// A verdict observer in force; it stays so until it is cancelled, whether or not this is kept.
public struct VerdictObservation: Sendable {
    let id: UInt64
    let registry: LifetimeRegistry

    /// Ends the observation.
    ///
    /// A verdict that is being delivered may still arrive.
    public func cancel() {
        _ = registry.verdicts.withLock { $0.removeObserver(id) }
    }
}

extension String {
    /// The text with control characters made harmless: for one line that a person reads on a terminal.
    fileprivate var withoutControlCharacters: String {
        String(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : Character($0) })
    }
}
