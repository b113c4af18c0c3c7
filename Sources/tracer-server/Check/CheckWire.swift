/// The fields of an overdue group that a check reads.
struct WireOverdueGroup: Decodable, Sendable {
    struct Instance: Decodable, Sendable {
        let id: Int
        let type: String
        let role: String
        let state: String
        /// The status of the search for the instance's retain path; `nil` before a search.
        let retainStatus: String?
        /// Whether the instance is a known leak, or is held by one.
        let known: Bool
    }

    struct KnownLeak: Decodable, Sendable {
        let reason: String
        let count: Int
    }

    struct RetainPath: Decodable, Sendable {
        let hint: String?
        let signature: String?
    }

    let type: String
    let reason: String
    let overdue: Int
    let known: KnownLeak?
    let retainPath: RetainPath?
    let instances: [Instance]
}

struct WireOverduePage: WirePage {
    let next: String?
    let overdue: Int
    /// The number of overdue instances that are known leaks.
    let known: Int
    let groups: [WireOverdueGroup]

    var entries: [WireOverdueGroup] { groups }
}

/// The fields of a token that a check reads.
struct WireToken: Decodable, Hashable, Sendable {
    let kind: String
    let event: String
    let ownerType: String?
}

struct WireTokenPage: WirePage {
    let next: String?
    let total: Int
    let tokens: [WireToken]

    var entries: [WireToken] { tokens }
}

/// The fields that a check reads of a group of tokens, by event or by the owner type of one event.
struct WireTokenGroup: Decodable, Sendable {
    /// The event of a group by event.
    let event: String?
    /// The owner type of a group by owner type; also `nil` for tokens without an owner.
    let ownerType: String?
    let inForce: Int
    let crowded: Bool
}

struct WireTokenGroupPage: WirePage {
    let next: String?
    let groups: [WireTokenGroup]

    var entries: [WireTokenGroup] { groups }
}

/// The fields that a check reads of a growing subject.
struct WireGrowth: Decodable, Sendable {
    struct KnownLeak: Decodable, Sendable {
        let reason: String
    }

    /// The type, or the owner type of tokens; `nil` for the whole process.
    let type: String?
    let event: String?
    let name: String
    let reason: String
    let live: Int
    let known: KnownLeak?
}

struct WireGrowthPage: WirePage {
    let next: String?
    let growing: [WireGrowth]

    var entries: [WireGrowth] { growing }
}

/// The fields of an invariant that a check reads.
struct WireInvariant: Decodable, Sendable {
    let type: String
    let message: String
}

struct WireInvariantPage: WirePage {
    let next: String?
    let total: Int
    let invariants: [WireInvariant]

    var entries: [WireInvariant] { invariants }
}
