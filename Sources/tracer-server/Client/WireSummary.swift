/// A page of a list of the API.
protocol WirePage: Decodable, Sendable {
    associatedtype Entry: Sendable

    var next: String? { get }
    var entries: [Entry] { get }
}

struct WireVersion: Decodable, Sendable {
    let version: Int
}

/// The fields of the summary that the commands read.
struct WireSummary: Decodable, Sendable {
    struct Process: Decodable, Sendable {
        let pid: Int
        let name: String
        let host: String
    }

    struct Instances: Decodable, Sendable {
        let live: Int
    }

    struct Verdicts: Decodable, Sendable {
        let overdue: Int
        let late: Int
        let overBudget: Int
        let orphaned: Int
        let brokenInvariants: Int
        let crowded: Int
        let growing: Int
    }

    let process: Process
    let instances: Instances
    let types: Int
    let verdicts: Verdicts
}
