/// The fields of a type that the commands read.
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
    /// The recent numbers of live instances, oldest first.
    let trend: [Int]
    /// Whether the verdict on the type is that it is growing.
    let growing: Bool
    let verdicts: Verdicts
}

/// The fields of a group of types that the commands read.
struct WireTypeGroup: Decodable, Sendable {
    let name: String
    let live: Int
    let budget: Int?
    let overBudget: Bool
}

struct WireTypePage: WirePage {
    let next: String?
    let total: Int
    /// The number of seconds between two numbers of a trend.
    let trendStepSeconds: Int
    let groups: [WireTypeGroup]
    let types: [WireType]

    var entries: [WireType] { types }
}
