// Healthy objects with one holder each, and with fields and variables that reference but never retain them.

/// References that never retain.
@MainActor package enum NeverOwningShapes {
    package static var screen: Screen?
    package static var entry: Entry?
    package static var pair: (number: Int, screen: Unmanaged<Screen>?) = (0, nil)
    package static var list: [Unmanaged<Screen>] = []
    package static var table: [String: Unmanaged<Screen>] = [:]
    package static var choice = Choice.none
    package static var box: AnyObject?
    package static var anything: Any?
    package static var actions: [() -> Int] = []
    package static var entries: [Entry] = []
    package static var nested = Outer()
    package static unowned var known: Screen?
    package static var screens: [Screen] = []
    package static var knowers: [AnyObject] = []

    package struct Entry {
        package var number = 1
        package unowned(unsafe) var screen: Screen
    }

    package struct Outer {
        package var title = "outer"
        package var inner: Inner?
    }

    package struct Inner {
        package var reference: Unmanaged<Screen>
        package var number = 2
    }

    package enum Choice {
        case none
        case reference(Unmanaged<Screen>)
        case number(Int)
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
        structVariable, tupleVariable, listVariable, tableVariable, enumVariable, anyVariable, nestedVariable, fields,
        genericFields, structsInArray, unsafeCapture, unmanagedCapture, metatypeBeside, soleRoot,
        soleUnowned, unownedBesideArray, unownedByObjects,
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

    private static let structVariable = shape("a struct's unowned property in a variable") { made in
        entry = made.map { Entry(screen: $0) }
    }

    private static let tupleVariable = shape("an Unmanaged in a tuple in a variable") { made in
        pair = (3, made.map { .passUnretained($0) })
    }

    private static let listVariable = shape("an array of Unmanaged") { made in
        list = made.map { Array(repeating: .passUnretained($0), count: 5) } ?? []
    }

    private static let tableVariable = shape("a dictionary of Unmanaged") { made in
        table["screen"] = made.map { .passUnretained($0) }
    }

    private static let enumVariable = shape("a payload in a variable") { made in
        choice = made.map { .reference(.passUnretained($0)) } ?? .none
    }

    private static let anyVariable = shape("an existential of an Unmanaged in a variable") { made in
        anything = made.map { Unmanaged.passUnretained($0) }
    }

    private static let nestedVariable = shape("an Unmanaged in a struct in a struct") { made in
        nested.inner = made.map { Inner(reference: .passUnretained($0)) }
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

    private static let metatypeBeside = shape("its address beside its type") { made in
        anything = made.map { (ObjectIdentifier($0), type(of: $0)) }
    }

    /// Retained by hand, and referenced by a variable that never retains it.
    ///
    /// The variable is not a holder.
    private static let soleRoot = Shape(
        "never owned by the only variable that knows it",
        .overRetained(1).orGuessed(), using: ["NeverOwningShapes.entry"]
    ) {
        let made = DetailScreen()
        let hidden = Hidden(made)
        // Balanced in the `undo` closure.
        _ = Unmanaged.passRetained(made)
        entry = Entry(screen: made)
        return Planted(made) {
            entry = nil
            Unmanaged.passUnretained(hidden.object).release()
        }
    }

    /// Like `soleRoot`, with a variable whose symbol does not show that it is unowned.
    private static let soleUnowned = Shape(
        "never owned by an unowned variable, the only one that knows it",
        .held(.global("NeverOwningShapes.known")).doubtful()
    ) {
        let made = DetailScreen()
        let hidden = Hidden(made)
        // Balanced in the `undo` closure.
        _ = Unmanaged.passRetained(made)
        known = made
        return Planted(made) {
            known = nil
            Unmanaged.passUnretained(hidden.object).release()
        }
    }

    private static let unownedBesideArray = Shape(
        "never owned by an unowned variable beside an array",
        .held(.global("NeverOwningShapes.screens"), .through("[0]")).certain(), using: ["NeverOwningShapes.known"]
    ) {
        let made = DetailScreen()
        screens = [made]
        known = made
        return Planted(made) {
            known = nil
            screens = []
        }
    }

    /// If objects account for all unowned references, a variable with the address must be a strong reference.
    private static let unownedByObjects = Shape(
        "never owned by many objects that know it, and owned by a variable",
        .held(.global("NeverOwningShapes.screen")).certain(), using: ["NeverOwningShapes.knowers"]
    ) {
        let made = DetailScreen()
        screen = made
        knowers = (0..<3).map { _ in Knower(made) }
        return Planted(made) {
            knowers = []
            screen = nil
        }
    }
}
