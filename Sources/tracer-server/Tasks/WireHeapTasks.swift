/// A page of the Tasks of a capture, as far as the command reads them.
struct WireHeapTasks: Decodable, Sendable {
    struct Task: Decodable, Sendable {
        let id: Int
        let state: String
        let awaits: String?
        let cancelled: Bool
        /// Whether nothing can resume the Task; `nil` if the server does not say so.
        let stuck: Bool?
        let parent: Int?
        let children: [Int]
        let name: String?
        let label: String?
        let functions: [String]
        let holds: [String]
        /// How many other Tasks the entry stands for, which differ only in their numbers; `nil` if the server does not
        /// state it.
        let alike: Int?
    }

    struct Count: Decodable, Sendable {
        let state: String
        let count: Int
        /// How many of these Tasks nothing can resume; `nil` if the server does not say so.
        let stuck: Int?
    }

    let heap: WireHeap
    let states: [Count]
    let leftOut: Int
    let obstacle: String?
    let total: Int
    let tasks: [Task]
}
