/// The number of verdicts since the start, by kind and type.
///
/// Counts only rise. The first ``typeLimit`` types with a verdict are counted by name; verdicts on all other types are
/// counted together. A type always stays in the same one of these groups, so no sum ever falls.
package struct VerdictCounts: Sendable {
    /// The subject of a verdict.
    package enum Subject: Hashable, Sendable {
        /// A type.
        case type(TypeName)
        /// No type, as for a group's budget or observer tokens without an owner.
        case noType
        /// All types beyond the limit.
        case otherTypes
    }

    /// A count with its kind and subject.
    package struct Entry: Sendable {
        /// The kind of the verdicts.
        package let kind: Verdict.Kind
        /// The subject of the verdicts.
        package let subject: Subject
        /// The number of verdicts.
        package let count: Int
    }

    /// The most types that are counted by name.
    package static let typeLimit = 1000

    /// The number of verdicts counted under ``Subject/otherTypes``.
    package private(set) var dropped = 0

    private var counts: [Subject: [Verdict.Kind: Int]] = [:]
    private var namedTypes = 0

    /// All counts, in unspecified order.
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
