/// What a check reads of the overdue instances.
struct WireOverdueGroup: Decodable, Sendable {
    struct Instance: Decodable, Sendable {
        let id: Int
        let type: String
        let role: String
        let state: String
        /// `nil` where nobody has searched yet who holds it.
        let retainStatus: String?
        /// Whether it is a known leak, or held by one.
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
    /// How many of them are known leaks.
    let known: Int
    let groups: [WireOverdueGroup]

    var entries: [WireOverdueGroup] { groups }
}

/// What a check reads of the tokens.
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

/// What a check reads of the tokens by event, or by owner type of one event.
struct WireTokenGroup: Decodable, Sendable {
    /// Of a group by event.
    let event: String?
    /// Of a group by owner type; `nil` for tokens without an owner, too.
    let ownerType: String?
    let inForce: Int
    let crowded: Bool
}

struct WireTokenGroupPage: WirePage {
    let next: String?
    let groups: [WireTokenGroup]

    var entries: [WireTokenGroup] { groups }
}

/// What a check reads of the invariants.
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
