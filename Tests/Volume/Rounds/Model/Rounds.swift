/// Work that a long-lived program does over and over, and after which memory must be what it was before.
///
/// An instance holds what lives through all rounds; to release the instance is to let go of that.
@MainActor package protocol Rounds: AnyObject {
    /// What a round does, in words.
    static var name: String { get }
    /// How many rounds show growth; ``RoundCount/usual`` unless that many take too long.
    static var count: RoundCount { get }

    /// The same without the tracer: what that leaves behind is not the tracer's. `nil` where it leaves nothing.
    static var control: (any Rounds.Type)? { get }

    /// Bytes that caches of libraries may grow by, however many rounds there are.
    static var libraryCaches: Int { get }

    init() throws

    /// Does so many rounds.
    func run(_ rounds: Int) throws
}

extension Rounds {
    package static var count: RoundCount { .usual }
    package static var control: (any Rounds.Type)? { nil }
    package static var libraryCaches: Int { 0 }
}

/// Dispatch's: up to 1,024 freed continuations of up to 128 bytes on each of its threads, of which 16 may serve a queue.
let dispatchCaches = 2 << 20

/// How many rounds there are.
package enum RoundCount: Sendable {
    /// 300,000.
    case usual
    /// So many, because a round takes long.
    case fewer(Int, because: String)

    package var number: Int {
        switch self {
        case .usual: 300_000
        case .fewer(let number, _): number
        }
    }
}

/// A round did not do what it is for: memory that stays flat would say nothing.
package struct RoundFailure: Error {
    package let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// Throws unless a round did what it is for.
func require(_ holds: Bool, _ text: @autoclosure () -> String) throws(RoundFailure) {
    guard holds else { throw RoundFailure(text()) }
}
