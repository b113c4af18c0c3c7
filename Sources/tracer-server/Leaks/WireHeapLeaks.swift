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
    let notCompared: Int
    let obstacle: String?
    let total: Int
    let leaks: [Leak]
}
