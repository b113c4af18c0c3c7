import LifetimeTracer

/// What each of several rounds of a test has left behind, by type and by event.
///
/// Pure data: independent of any registry. A category grows if instances or tokens of nearly every round are left, by
/// the definition that the registry uses for the minutes of a running program (``SurvivingGenerations``).
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

    /// An instance or a token, by the number of its category.
    struct Member: Sendable, Hashable {
        let kind: Kind
        let number: UInt64
    }

    /// The highest numbers of instances and of tokens at the end of each round; the first round is a warm-up.
    private var ends: [(instance: UInt64, token: UInt64)] = []

    /// The number of rounds after the warm-up.
    var rounds: Int { max(0, ends.count - 1) }

    /// Ends a round.
    ///
    /// - Parameters:
    ///   - instance: The highest id of an instance so far.
    ///   - token: The highest id of a token so far.
    mutating func endRound(instance: UInt64, token: UInt64) {
        ends.append((instance, max(token, ends.last?.token ?? 0)))
    }

    /// The number of members that each round after the warm-up has left, oldest round first.
    func survivors(_ left: [Member], of kind: Kind) -> [Int] {
        var counts = [Int](repeating: 0, count: rounds)
        for member in left where member.kind == kind {
            if let round = round(of: member), round > 0 { counts[round - 1] += 1 }
        }
        return counts
    }

    /// The categories of which members of nearly every round are left, sorted by name.
    func growing(_ left: [Member]) -> [Kind] {
        guard rounds > 0 else { return [] }
        return Set(left.map(\.kind)).filter {
            SurvivingGenerations.areNearlyEverywhere(survivors(left, of: $0).reversed())
        }
        .sorted { $0.name < $1.name }
    }

    private func round(of member: Member) -> Int? {
        ends.firstIndex { end in
            if case .instances = member.kind { member.number <= end.instance } else { member.number <= end.token }
        }
    }
}

extension Growth.Member {
    /// The live instances and the tokens in force of a snapshot.
    static func all(in snapshot: Snapshot) -> [Self] {
        snapshot.instances.map { Self(kind: .instances($0.type), number: $0.id.rawValue) }
            + snapshot.tokens.map {
                Self(
                    kind: .tokens(kind: $0.kind, event: $0.event, ownerType: $0.ownerType), number: $0.id.rawValue)
            }
    }
}
