/// Rounds that leak memory, to check that growth is detected.
@MainActor package let controlRounds: [any Rounds.Type] = [WrappedClosure.self]

/// Wraps a closure at each round, in any build.
///
/// An unoptimised build does the same with a closure that is stored bare in a generic value.
private final class WrappedClosure: Rounds {
    static let name = "(control) a closure wrapped at each round"

    private var closure: () -> Int = { 0 }

    func run(_ rounds: Int) {
        for round in 0..<rounds { closure = wrapped(closure, round) }
    }

    @inline(never)
    private func wrapped(_ inner: @escaping () -> Int, _ round: Int) -> () -> Int {
        { round > 0 ? inner() : round }
    }
}
