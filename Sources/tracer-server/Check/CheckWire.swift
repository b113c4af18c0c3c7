/// What a check reads of the server's JSON; the rest is none of its business.
protocol WirePage: Decodable, Sendable {
    associatedtype Entry: Sendable

    var next: String? { get }
    var entries: [Entry] { get }
}

struct WireVersion: Decodable, Sendable {
    let version: Int
}

struct WireSummary: Decodable, Sendable {
    struct Process: Decodable, Sendable {
        let pid: Int
        let name: String
        let uptimeSeconds: Double
    }

    struct Instances: Decodable, Sendable {
        let live: Int
    }

    let process: Process
    let instances: Instances
}

struct WireOverdueGroup: Decodable, Sendable {
    struct Instance: Decodable, Sendable {
        let id: Int
        let type: String
        let role: String
        let state: String
        /// `nil` where nobody has searched yet who holds it.
        let retainStatus: String?
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

struct WireToken: Decodable, Sendable {
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

struct WireType: Decodable, Sendable {
    let type: String
    let name: String
    let live: Int
}

struct WireTypePage: WirePage {
    let next: String?
    let types: [WireType]

    var entries: [WireType] { types }
}
