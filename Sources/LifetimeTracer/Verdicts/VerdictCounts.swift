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
        package fileprivate(set) var count: Int
    }

    private struct Key: Hashable, Sendable {
        let kind: Verdict.Kind
        let subject: Subject
    }

    /// The most types that are counted by name.
    package static let typeLimit = 1000

    /// The number of verdicts counted under ``Subject/otherTypes``.
    package private(set) var dropped = 0

    /// All counts, in the order of the first verdicts: an entry stays where it is.
    package private(set) var entries: [Entry] = []

    private var positions: [Key: Int] = [:]
    private var namedTypes: Set<TypeName> = []

    mutating func add(_ verdict: Verdict) {
        let key = Key(kind: verdict.kind, subject: subject(of: verdict))
        if let position = positions[key] {
            entries[position].count += 1
        } else {
            positions[key] = entries.count
            entries.append(Entry(kind: key.kind, subject: key.subject, count: 1))
        }
    }

    private mutating func subject(of verdict: Verdict) -> Subject {
        guard let type = verdict.type else { return .noType }
        guard namedTypes.count < Self.typeLimit || namedTypes.contains(type) else {
            dropped += 1
            return .otherTypes
        }
        namedTypes.insert(type)
        return .type(type)
    }
}
