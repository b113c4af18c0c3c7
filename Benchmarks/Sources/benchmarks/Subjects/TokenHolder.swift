import LifetimeTracer

/// The same class, holding the library's token.
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
