/// A page of the leaks of a capture, as far as the command reads them.
struct WireHeapLeaks: Decodable, Sendable {
    struct Leak: Decodable, Sendable {
        struct Known: Decodable, Sendable {
            let reason: String
        }

        let kind: String
        let known: Known?
        let text: String

        var isCertain: Bool { kind == "cycle" }
    }

    let heap: WireHeap
    let cycles: Int
    let knownCycles: Int
    let leftOut: Int
    /// The certain leaks among those that are left out; `nil` from a server that does not tell them apart.
    let leftOutCycles: Int?
    let notCompared: Int
    /// The Tasks that nothing can resume; `nil` from a server that does not tell them apart.
    let stuckTasks: Int?
    let obstacle: String?
    let total: Int
    let leaks: [Leak]

    /// The leaks that are left out and may be certain.
    var leftOutCertain: Int { leftOutCycles ?? leftOut }
}
