/// What the commands read of a type.
struct WireType: Decodable, Sendable {
    struct Verdicts: Decodable, Sendable {
        let overdue: Int
    }

    let type: String
    let name: String
    let live: Int
    let peak: Int
    let born: Int
    let died: Int
    let shallowBytes: Int?
    let budget: Int?
    let overBudget: Bool
    /// Live instances of the last minutes, oldest first.
    let trend: [Int]
    let growing: Bool
    let verdicts: Verdicts
}

/// What the commands read of a group of types.
struct WireTypeGroup: Decodable, Sendable {
    let name: String
    let live: Int
    let budget: Int?
    let overBudget: Bool
}

struct WireTypePage: WirePage {
    let next: String?
    let total: Int
    /// How long after one number of a trend the next one was taken.
    let trendStepSeconds: Int
    let groups: [WireTypeGroup]
    let types: [WireType]

    var entries: [WireType] { types }
}
