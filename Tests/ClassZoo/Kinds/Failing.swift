import Foundation

/// Initializers that fail or throw before, between and after the fields.
enum Failing {
    static func visitAll() {
        // The tries at steps 0, 1 and 2 fail; all objects are allocated.
        visit("Failable", tries: 6, born: 6) { Failable(failingAt: $0) }
        visit("Throwing", tries: 5, born: 5) { try? Throwing(failingAt: $0) }
        visit("ThrowingLeaf", tries: 7, born: 7) { try? ThrowingLeaf(leafFailingAt: $0) }
        // The text that is no number fails before an object is allocated.
        visit("Convenient", tries: 5, born: 4) { Convenient(text: ["1", "-1", "none", "2", "3"][$0]) }
    }
}
