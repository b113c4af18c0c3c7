/// The untraced class, the base of all ratios.
final class BarePair: Subject {
    var first: Int
    var second: Int

    init(_ value: Int) {
        first = value
        second = ~value
    }

    @inline(never)
    static func make(_ value: Int) -> BarePair { BarePair(value) }
}
