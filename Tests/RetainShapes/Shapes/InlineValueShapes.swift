// Existentials whose values do not fill the inline buffer. Stale references in the rest of the buffer retain nothing.

/// Small values in places that held larger values before.
@MainActor package enum InlineValueShapes {
    package static var screen: Screen?
    package static var any: Any?
    package static var many: [Any] = []
    package static var owner: AnyObject?
    package static var error: (any Error)?
    package static var sendable: (any Sendable)?
    package static var table: [String: Any] = [:]

    private final class Holder {
        var value: Any?
        var other: (any CustomStringConvertible)?
    }

    private struct Pair {
        let first: Int
        let screen: Screen
    }

    private struct Triple: CustomStringConvertible {
        let number = 1
        let text = 2
        let screen: Screen
        var description: String { "\(number)" }
    }

    private struct Large {
        let numbers = (1, 2, 3, 4)
        let screen: Screen
    }

    private struct Problem: Error {
        let number = 1
        let screen: Screen
    }

    static let all = [
        smallAfterLarge, arrayOfSmall, fieldOfSmall, textAfterPair, emptied, dictionaryOfSmall, pairHolds, tripleHolds,
        boxHolds, errorHolds, sendableHolds, arrayHolds,
    ]

    private static func known(
        _ name: String, using variable: String, _ set: @escaping @MainActor @Sendable (Screen?) -> Void
    ) -> Shape {
        Shape(
            "not held by an existential: \(name)", .held(.global("InlineValueShapes.screen")),
            using: ["InlineValueShapes.\(variable)"]
        ) {
            let made = DetailScreen()
            screen = made
            set(made)
            return Planted(made) {
                set(nil)
                screen = nil
            }
        }
    }

    private static func held(
        _ name: String, _ path: StepPattern..., set: @escaping @MainActor @Sendable (Screen?) -> Void
    ) -> Shape {
        Shape("held by an existential: \(name)", Expectation(status: .reachable, path: path)) {
            let made = DetailScreen()
            set(made)
            return Planted(made) { set(nil) }
        }
    }

    private static let smallAfterLarge = known("a number where a struct was", using: "any") { made in
        any = made.map { Pair(first: 1, screen: $0) }
        any = 5
    }

    private static let arrayOfSmall = known("numbers where structs were", using: "many") { made in
        many = made.map { made in (0..<4).map { Pair(first: $0, screen: made) } } ?? []
        for index in many.indices { many[index] = UInt8(index) }
    }

    private static let fieldOfSmall = known("a field with a number where a struct was", using: "owner") { made in
        let holder = Holder()
        holder.value = made.map { Pair(first: 1, screen: $0) }
        holder.other = made.map { Triple(screen: $0) }
        holder.value = true
        holder.other = 2
        owner = holder
    }

    private static let textAfterPair = known("a text where a struct was", using: "any") { made in
        any = made.map { Pair(first: 1, screen: $0) }
        any = "short"
    }

    private static let emptied = known("nothing where a struct was", using: "any") { made in
        any = made.map { Triple(screen: $0) }
        any = nil
    }

    private static let dictionaryOfSmall = known("values of a dictionary where structs were", using: "table") { made in
        table["x"] = made.map { Triple(screen: $0) }
        table["x"] = 1.5 as Float
    }

    private static let pairHolds = held("a struct in the buffer", .global("InlineValueShapes.any")) { made in
        any = made.map { Pair(first: 1, screen: $0) }
    }

    private static let tripleHolds = held("the buffer's last word", .global("InlineValueShapes.many"), .through("[1]"))
    { made in
        many = made.map { [1, Triple(screen: $0)] } ?? []
    }

    private static let boxHolds = held("a box", .global("InlineValueShapes.any")) { made in
        any = made.map { Large(screen: $0) }
    }

    private static let errorHolds = held("an error", .global("InlineValueShapes.error")) { made in
        error = made.map { Problem(screen: $0) }
    }

    private static let sendableHolds = held("a sendable object", .global("InlineValueShapes.sendable")) { made in
        sendable = made
    }

    private static let arrayHolds = held("an array in a dictionary", .global("InlineValueShapes.table")) { made in
        table["list"] = made.map { [$0] }
    }
}
