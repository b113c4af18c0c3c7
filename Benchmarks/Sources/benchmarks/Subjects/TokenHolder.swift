import LifetimeTracer

/// The same class with a `LifetimeToken`.
final class TokenHolder: Subject {
    private let lifetimeToken = LifetimeToken(of: TokenHolder.self)
    var first: Int
    var second: Int

    init(_ value: Int) {
        first = value
        second = ~value
    }

    @inline(never)
    static func make(_ value: Int) -> TokenHolder { TokenHolder(value) }
}
