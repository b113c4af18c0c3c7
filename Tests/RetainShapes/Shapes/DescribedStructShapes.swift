/// Structs of which the program may have no metadata, although it has their descriptors.
@MainActor package enum DescribedStructShapes {
    package static var bindings: [any Binding] = []
    fileprivate static var parser: Parser<Bool>?
    fileprivate static var named: Named<Int>?

    /// A value that is bound to a property.
    package protocol Binding {
        func update()
    }

    static let all = [boxInGenericFunction, closureInVariable, referenceInVariable]

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
