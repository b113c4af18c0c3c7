/// Work that a long-running program repeats and that must not increase memory use.
///
/// An instance holds the objects that live through all rounds; releasing the instance releases these objects.
@MainActor package protocol Rounds: AnyObject {
    /// The work of a round, in words.
    static var name: String { get }
    /// The number of rounds that shows growth: ``RoundCount/usual``, unless that many take too long.
    static var count: RoundCount { get }

    /// The same work without the tracer, whose growth is not the tracer's; `nil` if it has no growth.
    static var control: (any Rounds.Type)? { get }

    /// The number of bytes by which caches of libraries may grow, for any number of rounds.
    static var libraryCaches: Int { get }

    init() throws

    /// Runs a number of rounds.
    func run(_ rounds: Int) throws
}

extension Rounds {
    package static var count: RoundCount { .usual }
    package static var control: (any Rounds.Type)? { nil }
    package static var libraryCaches: Int { 0 }
}

/// Dispatch caches up to 1,024 freed continuations of up to 128 bytes on each thread, and 16 threads may serve a queue.
let dispatchCaches = 2 << 20

/// The number of rounds.
package enum RoundCount: Sendable {
    /// 300,000.
    case usual
    /// A smaller number, because a round takes long.
    case fewer(Int, because: String)

    package var number: Int {
        switch self {
        case .usual: 300_000
        case .fewer(let number, _): number
        }
    }
}

/// A round did not do its work, so its flat memory use proves nothing.
package struct RoundFailure: Error {
    package let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// Throws unless a condition is true.
func require(_ holds: Bool, _ text: @autoclosure () -> String) throws(RoundFailure) {
    guard holds else { throw RoundFailure(text()) }
}
