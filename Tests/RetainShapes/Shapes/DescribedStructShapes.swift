/// Structs of which the program may have no metadata, although it has their descriptors.
@MainActor package enum DescribedStructShapes {
    package static var bindings: [any Binding] = []
    fileprivate static var parser: Parser<Bool>?
    fileprivate static var named: Named<Int>?

    /// A value that is bound to a property.
    package protocol Binding {
        func update()
    }

    fileprivate static var stages: Stages<String, DetailScreen>?
    package static var actions: [() -> Void] = []
    fileprivate static let results = Results<Int>()

    static let all = [
        boxInGenericFunction, closureInVariable, referenceInVariable, captureOfReference, pack, callbacks,
    ]

    private static let boxInGenericFunction = Shape(
        "struct that generic code has put into an existential",
        .held(.global("DescribedStructShapes.bindings"), .through("target")).certain()
    ) {
        let screen = DetailScreen()
        bind(screen, \.taps) { 7 }
        return Planted(screen) { bindings = [] }
    }

    private static let closureInVariable = Shape(
        "closure in a generic struct in an optional variable",
        .held(.global("DescribedStructShapes.parser"), .closure("closure #")).certain()
    ) {
        let screen = DetailScreen()
        let digits = Parser { text in text.first == "7" ? 7 : nil }
        parser = digits.map { number in
            screen.tap()
            return number > screen.taps
        }
        return Planted(screen) { parser = nil }
    }

    private static let callbacks = Shape(
        "closure beside the rest of a list in an indirect case of a generic enum",
        .held(.global("DescribedStructShapes.results"), .through("callbacks.many"), .closure("closure #1")).certain()
    ) {
        let screen = DetailScreen()
        results.add { screen.taps += $0 }
        return Planted(screen) { results.callbacks = .none }
    }

    private static let captureOfReference = Shape(
        "object of a generic parameter in a closure of generic code",
        .held(.global("DescribedStructShapes.actions"), .closure("closure #1")).certain()
    ) {
        let screen = DetailScreen()
        actions = [action(screen, \.taps)]
        return Planted(screen) { actions = [] }
    }

    private static let pack = Shape(
        "element of a parameter pack in a struct in a variable",
        .held(.global("DescribedStructShapes.stages"))
    ) {
        let screen = DetailScreen()
        stages = Stages(stages: ("first", screen))
        return Planted(screen) { stages = nil }
    }

    private static let referenceInVariable = Shape(
        "object beside others in a generic struct in a variable", .held(.global("DescribedStructShapes.named"))
    ) {
        let screen = DetailScreen()
        named = Named(name: "a name that is not stored in place", screen: screen, values: [1, 2])
        return Planted(screen) { named = nil }
    }
}

/// Reads a value at the beginning of a text.
private struct Parser<Output> {
    let run: (Substring) -> Output?

    init(_ run: @escaping (Substring) -> Output?) { self.run = run }

    @inline(never)
    func map<Other>(_ change: @escaping (Output) -> Other) -> Parser<Other> {
        Parser<Other> { [run] text in run(text).map(change) }
    }
}

private struct Named<Value> {
    let name: String
    let screen: Screen
    let values: [Value]
}

private indirect enum Callbacks<Value> {
    case none
    case many((Value) -> Void, Callbacks<Value>)
}

private final class Results<Value> {
    var callbacks = Callbacks<Value>.none

    @inline(never)
    func add(_ callback: @escaping (Value) -> Void) {
        callbacks = .many(callback, callbacks)
    }
}

private struct Stages<each Stage> {
    let stages: (repeat each Stage)
}

/// Without specialisation, the arguments of its parameters are found in the captured key path.
@inline(never)
private func action<Target: AnyObject, Value>(
    _ target: Target, _ property: ReferenceWritableKeyPath<Target, Value>
) -> () -> Void {
    { _ = target[keyPath: property] }
}

/// The property of an object, and the closure that computes its value.
private struct PropertyBinding<Target: AnyObject, Value>: DescribedStructShapes.Binding {
    let target: Target
    let property: ReferenceWritableKeyPath<Target, Value>
    let read: () -> Value

    func update() { target[keyPath: property] = read() }
}

@inline(never)
@MainActor private func bind<Target: AnyObject, Value>(
    _ target: Target, _ property: ReferenceWritableKeyPath<Target, Value>, _ read: @escaping () -> Value
) {
    DescribedStructShapes.bindings.append(PropertyBinding(target: target, property: property, read: read))
}
