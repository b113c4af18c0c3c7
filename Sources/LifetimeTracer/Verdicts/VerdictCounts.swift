/// How many verdicts there were since the start, by kind and type.
///
/// Counts only rise. The first ``typeLimit`` types with a verdict are counted by name; verdicts on all others are counted
/// together. A type never changes sides, so that no sum falls.
package struct VerdictCounts: Sendable {
    /// What verdicts are about.
    package enum Subject: Hashable, Sendable {
        /// A type.
        case type(TypeName)
        /// No type: a group's budget, or observer tokens without an owner.
        case noType
        /// The types past the limit.
        case otherTypes
    }

    /// A count, and what it counts.
    package struct Entry: Sendable {
        /// The kind of the verdicts.
        package let kind: Verdict.Kind
        /// What they are about.
        package let subject: Subject
        /// How many there were.
        package let count: UInt64
    }

    /// The most types that are counted by name.
    package static let typeLimit = 1000

    /// Verdicts that are counted under ``Subject/otherTypes``.
    package private(set) var dropped: UInt64 = 0

    private var counts: [Subject: [Verdict.Kind: UInt64]] = [:]
    private var namedTypes = 0

    /// All counts, in no order.
    package var entries: [Entry] {
        counts.flatMap { subject, byKind in
            byKind.map { Entry(kind: $0.key, subject: subject, count: $0.value) }
        }
    }

    mutating func add(_ verdict: Verdict) {
        counts[subject(of: verdict), default: [:]][verdict.kind, default: 0] += 1
    }

    private mutating func subject(of verdict: Verdict) -> Subject {
        guard let type = verdict.type else { return .noType }
        let subject = Subject.type(type)
        if counts[subject] != nil { return subject }
        guard namedTypes < Self.typeLimit else {
            dropped += 1
            return .otherTypes
        }
        namedTypes += 1
        return subject
    }
}

extension LifetimeRegistry {
    /// How many verdicts there were since the start, by kind and type.
    package func verdictCounts() -> VerdictCounts {
        verdicts.withLock { $0.counts }
    }
}
