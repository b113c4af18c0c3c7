import LifetimeTracer

/// How many there are of each type and of the tokens of each event, after each of some rounds.
///
/// Pure: knows nothing of registries.
struct Growth: Sendable {
    /// What is counted.
    enum Kind: Sendable, Hashable {
        case instances(TypeName)
        case tokens(kind: TokenKind, event: String, ownerType: TypeName?)

        /// For people.
        var name: String {
            switch self {
            case .instances(let type): type.readable
            case .tokens(let kind, let event, let owner):
                "\(kind) tokens for \(event)" + (owner.map { " of \($0.readable)" } ?? "")
            }
        }
    }

    private var counts: [[Kind: Int]] = []

    /// Adds the counts after a round; the first ones are those to which the others are compared.
    mutating func add(_ round: [Kind: Int]) {
        counts.append(round)
    }

    /// What had more after each round than after the one before, by name.
    var growing: [Kind] {
        guard counts.count > 1, let last = counts.last else { return [] }
        return last.keys.filter { kind in
            zip(counts, counts.dropFirst()).allSatisfy { $0[kind, default: 0] < $1[kind, default: 0] }
        }
        .sorted { $0.name < $1.name }
    }

    /// The counts of one kind, from before the first round to after the last.
    func course(of kind: Kind) -> [Int] {
        counts.map { $0[kind, default: 0] }
    }

    /// Whether so many are as many as there would be with one more after each round.
    func isGrown(_ kind: Kind, now count: Int) -> Bool {
        count >= (counts.first?[kind] ?? 0) + counts.count - 1
    }
}

extension Growth.Kind {
    /// What there is in a registry at a moment.
    static func counts(in snapshot: Snapshot) -> [Self: Int] {
        var counts: [Self: Int] = [:]
        for type in snapshot.types where type.live > 0 { counts[.instances(type.type)] = Int(type.live) }
        for group in snapshot.tokenGroups where group.inForce > 0 {
            counts[.tokens(kind: group.kind, event: group.event, ownerType: group.ownerType)] = Int(group.inForce)
        }
        return counts
    }
}
