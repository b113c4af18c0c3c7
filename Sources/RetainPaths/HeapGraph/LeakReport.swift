import LifetimeTracer
import TracerBase

extension HeapGraph {
    /// The leaks of a check, those that are known apart, and their report in words.
    ///
    /// The checks of the test kit and the search at the exit of a program report leaks in these words.
    package struct LeakReport: Sendable {
        /// The most leaks whose path is printed; further ones are counted.
        package static let listedPaths = 4

        /// The leaks that are not known, in the order of the search.
        package let unknown: [Leak]
        /// The known leaks, in the order of the search.
        package let known: [Leak]
        /// The cycles that are not certain and not known, in the order of the search.
        package let uncertain: [Leak]

        /// Creates a report about cycles.
        package init(_ cycles: [Leak], uncertain: [Leak] = []) {
            unknown = cycles.filter { $0.known == nil }
            known = cycles.filter { $0.known != nil }
            self.uncertain = uncertain.filter { $0.kind == .uncertainCycle && $0.known == nil }
        }

        /// The number of leaks that are not known; each of equal leaks counts.
        package var unknownCount: Int { unknown.reduce(0) { $0 + $1.count } }

        /// The leaks that are not known, in one line.
        ///
        /// For example `Leaked by the test run: 3 cycles of Screen; 6 objects.`
        ///
        /// - Parameter subject: The code that has leaked, for example `the test run`.
        package func headline(of subject: String) -> String {
            let objects = unknown.reduce(0) { $0 + $1.objects }.counted("object", isGrouped: true)
            return "Leaked by \(subject): \(Self.enumeration(of: unknown).joined(separator: ", ")); \(objects)."
        }

        /// The cycles that are not certain, in one line; `nil` if there are none.
        package var uncertainLine: String? {
            guard !uncertain.isEmpty else { return nil }
            let parts = Self.enumeration(of: uncertain)
            let more = parts.count - Self.listedPaths
            return "Not counted, because they may be in use out of sight of the search: "
                + parts.prefix(Self.listedPaths).joined(separator: ", ") + (more > 0 ? " and \(more) more types." : ".")
        }

        /// The leaks by name, with their numbers, as in `3 cycles of Screen`.
        private static func enumeration(of leaks: [Leak]) -> [String] {
            var counts: [String: Int] = [:]
            for leak in leaks { counts[leak.name, default: 0] += leak.count }
            return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.value.counted("cycle", isGrouped: true)) of \($0.key)" }
        }

        /// The expectation that a leak does not meet, without a full stop.
        package static func expectation(of subject: String) -> String {
            "\(subject) leaves no objects that only hold each other"
        }

        /// The cycles of the leaks that are not known, with their fingerprints.
        package var pathLines: [String] {
            var lines = unknown.prefix(Self.listedPaths).flatMap { leak in
                leak.text().split(separator: "\n").map(String.init)
                    + (leak.fingerprint.map { ["  Fingerprint: \($0)"] } ?? [])
            }
            if unknown.count > Self.listedPaths {
                lines.append("And \((unknown.count - Self.listedPaths).counted("more leak")).")
            }
            return lines
        }

        /// The known leaks, each with its reason.
        package var knownLines: [String] {
            known.compactMap { leak in leak.known?.headline(counting: leak.count.counted("leak")) }
        }
    }
}

extension KnownLeak {
    /// The known leak in one line, for a report about a leak that it explains.
    ///
    /// - Parameter count: The number of instances or leaks that the known leak explains, with the noun.
    package func headline(counting count: String) -> String {
        let until = expires.map { " until \($0)" } ?? ""
        return "Known leak\(until), \(count): \(subject): \(reason)"
    }
}
