/// Rounds that do grow, by which it is seen that growth is noticed.
@MainActor package let controlRounds: [any Rounds.Type] = [WrappedClosure.self]

/// What a closure that is stored bare in a generic value does in an unoptimised build, in any build.
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
