/// The fields of a capture that the command reads.
struct WireHeap: Decodable, Sendable {
    struct Cost: Decodable, Sendable {
        let pauseMilliseconds: Double
        let totalMilliseconds: Double
    }

    struct LeftOut: Decodable, Sendable {
        let count: Int
        let bytes: Int
    }

    let id: Int
    let count: Int
    let bytes: Int
    let leftOut: LeftOut?
    let cost: Cost
}

/// A page of the lines of a capture.
struct WireHeapLines: Decodable, Sendable {
    struct Line: Decodable, Sendable {
        let kind: String
        let name: String
        let count: Int
        let bytes: Int
        /// `nil` also if the server does not know retained sizes.
        let retained: Int?
    }

    let heap: WireHeap
    let total: Int
    let types: [Line]
}

/// A page of the changes between two captures.
struct WireHeapDiff: Decodable, Sendable {
    struct Line: Decodable, Sendable {
        let kind: String
        let name: String
        let countAfter: Int
        let countChange: Int
        let bytesAfter: Int
        let bytesChange: Int
        let retainedAfter: Int?
    }

    let from: WireHeap
    let to: WireHeap
    let total: Int
    let types: [Line]
}

/// A part of the tree of retained sizes.
struct WireHeapGroups: Decodable, Sendable {
    struct Group: Decodable, Sendable {
        let id: Int
        let parent: Int?
        let level: Int
        let root: Bool
        let name: String
        let count: Int
        let retained: Int
        let unlisted: Int
    }

    let heap: WireHeap
    let bytes: Int
    let obstacle: String?
    let total: Int
    let groups: [Group]
}
