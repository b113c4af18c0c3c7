internal import RetainShapesNeighbour

/// Generic types, types of other modules, and types without a public name.
@MainActor package enum GenericShapes {
    package static var holder: AnyObject?
    package static var anything: Any?
    package static var action: (() -> Any)?
    package static var handlers: [() -> Void] = []

    static let all = [
        genericBox, genericSubclass, nestedGeneric, genericStruct, pack, noncopyable, opaqueResult, associated,
        packClosure,
        otherModule, otherModuleSuperclass, otherModuleGeneric, otherModuleClosure, otherModulePrivate, genericClosure,
        genericClosureOfArray, valueGeneric, genericRecursive, genericExistential, metatypes, keyPath,
    ]

    static let genericBox = Shape(
        "generic class", .held(.global("GenericShapes.holder"), .object("Box<"), .through("value"))
    ) {
        let screen = DetailScreen()
        holder = Box(screen)
        return Planted(screen) { holder = nil }
    }

    static let genericSubclass = Shape(
        "subclass of a generic class",
        .held(.global("GenericShapes.holder"), .object("LabelledBox"), .through("value.1"))
    ) {
        let screen = DetailScreen()
        holder = LabelledBox(("label", screen))
        return Planted(screen) { holder = nil }
    }

    static let nestedGeneric = Shape(
        "generic type in a generic type", .held(.global("GenericShapes.holder"), .object("Inner"), .through("second"))
    ) {
        let screen = DetailScreen()
        holder = Outer<[Int]>.Inner<Screen>(first: [1], second: screen)
        return Planted(screen) { holder = nil }
    }

    static let genericStruct = Shape(
        "generic struct in a class",
        .held(.global("GenericShapes.holder"), .object("Box<"), .through("value.inner.second"))
    ) {
        let screen = DetailScreen()
        holder = Box(Wrapped(inner: Couple(first: UInt8(1), second: screen)))
        return Planted(screen) { holder = nil }
    }

    static let pack = Shape("parameter pack", .held(.global("GenericShapes.holder"), .object("Pack"))) {
        let screen = DetailScreen()
        holder = Pack(1, "two", screen, 4.0)
        return Planted(screen) { holder = nil }
    }

    static let noncopyable = Shape(
        "noncopyable value in a generic class",
        .held(.global("GenericShapes.holder"), .object("Owner"), .through("value"))
    ) {
        let screen = DetailScreen()
        holder = Owner(Unique(number: 3, screen: screen))
        return Planted(screen) { holder = nil }
    }

    static let opaqueResult = Shape("opaque result type", .held(.global("GenericShapes.holder"), .object("Box<"))) {
        let screen = DetailScreen()
        holder = boxed(framed(screen))
        return Planted(screen) { holder = nil }
    }

    static let associated = Shape(
        "property of an associated type", .held(.global("GenericShapes.holder"), .object("Cache"), .through("latest"))
    ) {
        let screen = DetailScreen()
        let cache = Cache([Screen()])
        cache.latest = screen
        holder = cache
        return Planted(screen) { holder = nil }
    }

    static let packClosure = Shape("closure over a parameter pack", .held(.global("GenericShapes.action"))) {
        let screen = DetailScreen()
        action = later(1, screen, "three")
        return Planted(screen) { action = nil }
    }

    static let otherModule = Shape("static of another module", .held(.global("Shelf.things"), .through("[1]"))) {
        let widget = Gauge()
        Shelf.things = [Widget(), widget]
        return Planted(widget) { Shelf.things = [] }
    }

    static let otherModuleSuperclass = Shape(
        "property of a superclass in another module",
        .held(.global("GenericShapes.holder"), .object("Gauge"), .through("content"))
    ) {
        let widget = Widget()
        let gauge = Gauge()
        gauge.content = widget
        holder = gauge
        return Planted(widget) { holder = nil }
    }

    static let otherModuleGeneric = Shape(
        "generic superclass in another module",
        .held(.global("GenericShapes.holder"), .object("Drawer"), .through("contents"), .through("[0]"))
    ) {
        let screen = DetailScreen()
        let drawer = Drawer<Int>()
        drawer.contents = [screen]
        drawer.extra = 4
        holder = drawer
        return Planted(screen) { holder = nil }
    }

    static let otherModuleClosure = Shape("generic closure of another module", .held(.global("GenericShapes.anything")))
    {
        let screen = DetailScreen()
        anything = keeper(of: screen, with: "abc")
        return Planted(screen) { anything = nil }
    }

    static let otherModulePrivate = Shape("private static of another module", .held(.global("Shelf"))) {
        let widget = Gauge()
        Shelf.hide(widget)
        return Planted(widget) { Shelf.hide(nil) }
    }

    static let genericClosure = Shape("generic closure", .held(.global("GenericShapes.handlers"), .through("[0]"))) {
        let screen = DetailScreen()
        handlers = [forgetful(screen, with: 2)]
        return Planted(screen) { handlers = [] }
    }

    static let genericClosureOfArray = Shape(
        "generic closure over associated types", .held(.global("GenericShapes.handlers"), .through("[0]"))
    ) {
        let screen = DetailScreen()
        handlers = [eachOf([Screen(), screen]) { $0.tap() }]
        return Planted(screen) { handlers = [] }
    }

    static let valueGeneric = Shape("value generic", .held(.global("GenericShapes.holder"), .object("Ring"))) {
        let screen = DetailScreen()
        holder = Ring<3, Screen>(screen)
        return Planted(screen) { holder = nil }
    }

    static let genericRecursive = Shape(
        "generic class in itself",
        .held(.global("GenericShapes.holder"), .object("Box<"), .object("Box<"), .object("Box<"))
    ) {
        let screen = DetailScreen()
        holder = Box(Box(Box(screen)))
        return Planted(screen) { holder = nil }
    }

    static let genericExistential = Shape(
        "existentials in a generic class",
        .held(.global("GenericShapes.holder"), .object("Box<"), .through("[\"screen\"]"))
    ) {
        let screen = DetailScreen()
        holder = Box<[String: any Sendable]>(["screen": screen, "number": 3])
        return Planted(screen) { holder = nil }
    }

    static let metatypes = Shape(
        "class with metatypes", .held(.global("GenericShapes.holder"), .object("Typed"), .through("value"))
    ) {
        let screen = DetailScreen()
        holder = Typed(screen)
        return Planted(screen) { holder = nil }
    }

    static let keyPath = Shape("key path with an argument", .held(.global("GenericShapes.anything"))) {
        let screen = DetailScreen()
        anything = \Screen.[beside: screen]
        return Planted(screen) { anything = nil }
    }
}

private class Box<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

private final class LabelledBox: Box<(String, Screen)> {
    let label = "label"
}

private enum Outer<First> {
    final class Inner<Second> {
        let first: First
        let second: Second

        init(first: First, second: Second) {
            self.first = first
            self.second = second
        }
    }
}

private struct Couple<First, Second> {
    let first: First
    let second: Second
}

private struct Wrapped<Inner> {
    let number = 1
    let inner: Inner
}

private final class Pack<each Element> {
    let elements: (repeat each Element)

    init(_ elements: repeat each Element) { self.elements = (repeat each elements) }
}

private struct Unique: ~Copyable {
    let number: Int
    let screen: Screen

    deinit { precondition(number > 0) }
}

private final class Owner<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
}

private final class Cache<Elements: Collection> {
    let elements: Elements
    var latest: Elements.Element?
    var range: Range<Elements.Index>?

    init(_ elements: Elements) { self.elements = elements }
}

private final class Gauge: Widget, @unchecked Sendable {
    private let reading = 0.5
}

private final class Drawer<Extra>: Container<Screen>, @unchecked Sendable {
    var extra: Extra?
}

private final class Ring<let count: Int, Element> {
    private let size = count
    private let first: Element
    private let rest: [count of Int] = .init(repeating: 0)

    init(_ first: Element) { self.first = first }
}

private final class Typed<Value> {
    let type: Value.Type = Value.self
    let kind: Any.Type = Value.self
    let value: Value
    let function: @convention(thin) () -> Void = {}

    init(_ value: Value) { self.value = value }
}

extension Screen {
    fileprivate subscript(beside other: Screen) -> Int { taps - other.taps }
}

@inline(never)
private func boxed(_ value: some Showable) -> AnyObject { Box(value) }

@inline(never)
private func later<each Value>(_ values: repeat each Value) -> () -> Any {
    { (repeat each values) }
}

@inline(never)
private func forgetful<Value: AnyObject, Number: BinaryInteger>(_ value: Value, with number: Number) -> () -> Void {
    var calls = number
    return {
        calls += 1
        withExtendedLifetime(value) {}
    }
}

@inline(never)
private func eachOf<Elements: Collection>(
    _ elements: Elements, _ act: @escaping (Elements.Element) -> Void
) -> () -> Void where Elements.Index: Sendable {
    let start = elements.startIndex
    return {
        var index = start
        while index != elements.endIndex {
            act(elements[index])
            elements.formIndex(after: &index)
        }
    }
}
