// Healthy objects, each with one holder, and fields and variables that know them without ever owning them.

/// Knowers that never own.
@MainActor package enum NeverOwningShapes {
    package static var screen: Screen?
    package static var list: [Unmanaged<Screen>] = []
    package static var table: [String: Unmanaged<Screen>] = [:]
    package static var box: AnyObject?
    package static var actions: [() -> Int] = []
    package static var entries: [Entry] = []

    package struct Entry {
        package var number = 1
        package unowned(unsafe) var screen: Screen
    }

    package struct Inner {
        package var reference: Unmanaged<Screen>
        package var number = 2
    }

    private final class Knower {
        unowned(unsafe) let screen: Screen
        unowned let again: Screen
        let pair: (Unmanaged<Screen>, Int)

        init(_ screen: Screen) {
            self.screen = screen
            again = screen
            pair = (.passUnretained(screen), 1)
        }
    }

    private final class GenericKnower<Object: AnyObject> {
        unowned(unsafe) let object: Object
        let reference: Unmanaged<Object>?

        init(_ object: Object) {
            self.object = object
            reference = .passUnretained(object)
        }
    }

    static let all = [
        listVariable, tableVariable, fields, genericFields, structsInArray, unsafeCapture, unmanagedCapture,
    ]

    private static func shape(
        _ name: String, _ know: @escaping @MainActor @Sendable (Screen?) -> Void
    ) -> Shape {
        let expectation = Expectation.held(.global("NeverOwningShapes.screen"))
        return Shape("never owned by \(name)", expectation) {
            let made = DetailScreen()
            screen = made
            know(made)
            return Planted(made) {
                know(nil)
                screen = nil
            }
        }
    }

    private static let listVariable = shape("an array of Unmanaged") { made in
        list = made.map { Array(repeating: .passUnretained($0), count: 5) } ?? []
    }

    private static let tableVariable = shape("a dictionary of Unmanaged") { made in
        table["screen"] = made.map { .passUnretained($0) }
    }

    private static let fields = shape("an object's fields") { made in
        box = made.map { Knower($0) }
    }

    private static let genericFields = shape("a generic object's fields") { made in
        box = made.map { GenericKnower($0) }
    }

    private static let structsInArray = shape("structs in an array") { made in
        entries = made.map { made in (0..<4).map { Entry(number: $0, screen: made) } } ?? []
    }

    private static let unsafeCapture = shape("a closure") { made in
        actions = made.map { made in [{ [unowned(unsafe) made] in made.taps }] } ?? []
    }

    private static let unmanagedCapture = shape("a closure that captures a struct") { made in
        actions =
            made.map { made in
                let entry = Entry(screen: made)
                let inner = Inner(reference: .passUnretained(made))
                return [{ entry.number + inner.number }]
            } ?? []
    }
}
