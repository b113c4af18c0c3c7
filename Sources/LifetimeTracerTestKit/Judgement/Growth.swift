import LifetimeTracer

/// The number of live instances by type and of tokens by event after each of several rounds.
///
/// Pure data: independent of any registry.
struct Growth: Sendable {
    /// A category that is counted.
    enum Kind: Sendable, Hashable {
        case instances(TypeName)
        case tokens(kind: TokenKind, event: String, ownerType: TypeName?)

        /// The human-readable name.
        var name: String {
            switch self {
            case .instances(let type): type.readable
            case .tokens(let kind, let event, let owner):
                "\(kind) tokens for \(event)" + (owner.map { " of \($0.readable)" } ?? "")
            }
        }
    }

    private var counts: [[Kind: Int]] = []

    /// Adds the counts after a round; the first round is the baseline.
    mutating func add(_ round: [Kind: Int]) {
        counts.append(round)
    }

    /// The categories whose count rose in every round, sorted by name.
    var growing: [Kind] {
        guard counts.count > 1, let last = counts.last else { return [] }
        return last.keys.filter { kind in
            zip(counts, counts.dropFirst()).allSatisfy { $0[kind, default: 0] < $1[kind, default: 0] }
        }
        .sorted { $0.name < $1.name }
    }

    /// The counts of one category, from the baseline to the last round.
    func course(of kind: Kind) -> [Int] {
        counts.map { $0[kind, default: 0] }
    }

    /// Whether a count is at least the baseline plus one for each round.
    func isGrown(_ kind: Kind, now count: Int) -> Bool {
        count >= (counts.first?[kind] ?? 0) + counts.count - 1
    }
}

extension Growth.Kind {
    /// The counts in a registry's snapshot.
    static func counts(in snapshot: Snapshot) -> [Self: Int] {
        var counts: [Self: Int] = [:]
        for type in snapshot.types where type.live > 0 { counts[.instances(type.type)] = Int(type.live) }
        for group in snapshot.tokenGroups where group.inForce > 0 {
            counts[.tokens(kind: group.kind, event: group.event, ownerType: group.ownerType)] = Int(group.inForce)
        }
        return counts
    }
}
