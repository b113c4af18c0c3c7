import LifetimeTracer
import TracerBase

/// The leaks that someone has accepted, each with a reason.
///
/// They are read from a JSON file, which contains a list of objects:
/// ```json
/// [
///   {"fingerprint": "8d3f0c5b1a7e9264", "reason": "the cache empties itself at midnight"},
///   {"pattern": "Hub.subs → DetailScreen", "reason": "see the ticket", "expires": "2027-01-31"}
/// ]
/// ```
/// A known leak is still explained and counted. Its explanation says that it is known.
public struct KnownLeaks: Sendable, Hashable {
    /// All known leaks, in the order of the file.
    public let leaks: [KnownLeak]

    private let byFingerprint: [Fingerprint: Int]
    private let patterns: [Int]

    /// Creates an empty list.
    public init() {
        self.init(leaks: [])
    }

    init(leaks: [KnownLeak]) {
        self.leaks = leaks
        var byFingerprint: [Fingerprint: Int] = [:]
        var patterns: [Int] = []
        for (index, leak) in leaks.enumerated() {
            switch leak.matcher {
            case .fingerprint(let fingerprint): byFingerprint[fingerprint] = index
            case .pattern: patterns.append(index)
            }
        }
        self.byFingerprint = byFingerprint
        self.patterns = patterns
    }

    /// Returns a list with the leaks of another list behind those of this one.
    ///
    /// If both have a fingerprint, the other list's entry holds.
    package func adding(_ other: KnownLeaks) -> KnownLeaks {
        KnownLeaks(leaks: leaks + other.leaks)
    }

    /// The known leak that has the given fingerprint or signature, if any.
    ///
    /// A known leak that has not expired precedes one that has, and a fingerprint precedes a pattern.
    ///
    /// - Parameter signature: The words of the path's signature.
    func match(fingerprint: Fingerprint?, signature: [String], on today: CalendarDay) -> KnownLeak? {
        var candidates = fingerprint.flatMap { byFingerprint[$0] }.map { [leaks[$0]] } ?? []
        if let known = candidates.first, !known.hasExpired(on: today) { return known }
        for index in patterns where leaks[index].isMeant(fingerprint: fingerprint, signature: signature) {
            if !leaks[index].hasExpired(on: today) { return leaks[index] }
            candidates.append(leaks[index])
        }
        return candidates.first
    }

    /// The known leak with a fingerprint, unless its last day has passed.
    package func match(_ fingerprint: Fingerprint, at time: WallTime) -> KnownLeak? {
        let today = time.day
        return byFingerprint[fingerprint].map { leaks[$0] }.flatMap { $0.hasExpired(on: today) ? nil : $0 }
    }

    /// The known leaks whose last day has passed.
    ///
    /// Their leaks are reported again.
    func expired(on today: CalendarDay) -> [KnownLeak] {
        leaks.filter { $0.hasExpired(on: today) }
    }
}
