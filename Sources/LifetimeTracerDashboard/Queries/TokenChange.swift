import LifetimeTracer

/// The tokens of one event and owner type that were registered between two marks and are in force now.
struct TokenChange: Sendable {
    let event: String
    let ownerType: TypeName?
    let kept: Int

    /// Returns the changes of a diff, most tokens first.
    static func all(in snapshot: Snapshot, _ diff: SnapshotDiff) -> [Self] {
        struct Key: Hashable {
            let event: String
            let ownerType: TypeName?
        }
        var counts: [Key: Int] = [:]
        for token in snapshot.tokens where token.registeredAt >= diff.from.at && token.registeredAt <= diff.to.at {
            counts[Key(event: token.event, ownerType: token.ownerType), default: 0] += 1
        }
        return counts.map { TokenChange(event: $0.event, ownerType: $0.ownerType, kept: $1) }.sorted {
            ($1.kept, $0.event, $0.ownerType?.qualified ?? "") < ($0.kept, $1.event, $1.ownerType?.qualified ?? "")
        }
    }
}
