internal import LifetimeTracer

/// Objects in static variables that hold a screen in one of their properties.
///
/// In an optimised build, the compiler lays out such an object in the program's data if the object's initial values are
/// constants. If the program only uses the object's properties, no word of the object says of which class it is.
@MainActor package enum SingletonShapes {
    static let all = [
        optional, existential, closure, enumCase, structure, array, noncopyable, nested, subclass, otherName,
        otherClass, generic,
    ]

    private static func held(
        _ name: String, by variable: String, _ path: StepPattern..., giving suspect: String = "",
        set: @escaping @MainActor @Sendable (Screen?) -> Void
    ) -> Shape {
        var expectation = Expectation(status: .reachable, path: [.global(variable)] + path)
        if !suspect.isEmpty { expectation = expectation.giving(suspect) }
        return Shape("object in a static variable: \(name)", expectation) {
            let made = DetailScreen()
            set(made)
            return Planted(made) { set(nil) }
        }
    }

    private static let optional = held(
        "an optional", by: "OptionalSingleton.shared", .member(".current"), giving: ".current"
    ) { made in
        OptionalSingleton.shared.current = made
        OptionalSingleton.shared.attempts += 1
    }

    private static let existential = held(
        "a delegate", by: "DelegatingSingleton.shared", .member(".delegate"), giving: ".delegate"
    ) { made in
        DelegatingSingleton.shared.delegate = made
    }

    private static let closure = held(
        "one of two closures", by: "ClosureSingleton.shared", .member(".onEnd"), .closure("closure #1")
    ) { made in
        ClosureSingleton.shared.onEnd = made.map { made in { made.tap() } }
    }

    private static let enumCase = held(
        "a case", by: "PhaseSingleton.shared", .member(".phase.busy.0"), giving: ".phase"
    ) { made in
        PhaseSingleton.shared.phase = made.map { .busy($0, 2) } ?? .idle
    }

    private static let structure = held(
        "a struct", by: "StructSingleton.shared", .member(".second.owner"), giving: ".second.owner"
    ) { made in
        StructSingleton.shared.second.owner = made
    }

    private static let array = held("an array", by: "ArraySingleton.shared", .member(".stack"), .through("[1]")) {
        made in
        ArraySingleton.shared.stack = made.map { [Screen(), $0] } ?? []
    }

    private static let noncopyable = held(
        "a struct that is not copyable", by: "LeaseSingleton.shared", .member(".lease.screen")
    ) { made in
        LeaseSingleton.shared.lease.screen = made
    }

    private static let nested = held("a class in a class", by: "Catalogue.Page.shared", .member(".current")) { made in
        Catalogue.Page.shared.current = made
    }

    private static let subclass = held("a subclass", by: "Derived.shared", .member(".current")) { made in
        Derived.shared.current = made
        Derived.shared.more += 1
    }

    private static let otherName = held("another name", by: "NamedSingleton.first", .member(".")) { made in
        NamedSingleton.first.current = made
    }

    private static let otherClass = held("another class", by: "OtherClass.shared", .member(".")) { made in
        OtherClass.shared.current = made
    }

    private static let generic = held("a generic class", by: "Sources.text", .member(".")) { made in
        Sources.text.listener = made
    }
}

extension Screen: Delegating {}

private protocol Delegating: AnyObject {}

@MainActor private final class OptionalSingleton {
    static let shared = OptionalSingleton()
    var attempts = 0
    var current: Screen?
    var name: String?
}

@MainActor private final class DelegatingSingleton {
    static let shared = DelegatingSingleton()
    var delegate: (any Delegating)?
    var isOn = false
}

@MainActor private final class ClosureSingleton {
    static let shared = ClosureSingleton()
    var count = 1
    var onChange: ((Int) -> Void)?
    var onEnd: (() -> Void)?
}

@MainActor private final class PhaseSingleton {
    enum Phase {
        case idle
        case busy(Screen, Int)
        case done(String)
    }

    static let shared = PhaseSingleton()
    var retries = 3
    var phase = Phase.idle
}

@MainActor private final class StructSingleton {
    struct Slot {
        var owner: Screen?
        var since = 0.0
    }

    static let shared = StructSingleton()
    var first = Slot()
    var second = Slot()
    let number = 7
}

@MainActor private final class ArraySingleton {
    static let shared = ArraySingleton()
    var stack: [Screen] = []
    var depth = 0
}

@MainActor private final class LeaseSingleton {
    struct Lease: ~Copyable {
        var number = 1
        var screen: Screen?
    }

    static let shared = LeaseSingleton()
    var lease = Lease()
}

@MainActor private enum Catalogue {
    @MainActor fileprivate final class Page {
        static let shared = Page()
        var number = 1
        var current: Screen?
    }
}

@MainActor private class Base {
    var number = 1
    var current: Screen?
}

@MainActor private final class Derived: Base {
    static let shared = Derived()
    var more = 2
}

/// Only the class itself says that its variable holds an object of the class.
@MainActor private final class NamedSingleton {
    static let first = NamedSingleton()
    var number = 1
    var current: Screen?
}

/// A variable with an object of another class than the one that declares it.
@MainActor private final class OtherClass {
    static let shared = Derived()
    var number = 1
}

@MainActor private final class Source<Value> {
    var value: Value
    var listener: Screen?

    init(_ value: Value) { self.value = value }
}

@MainActor private enum Sources {
    static let text = Source("a")
}
