internal import RetainShapesNeighbour

/// Closures with captures of types that the runtime cannot always instantiate from their mangled names.
///
/// For some of these names the runtime aborts the program, so the search must not request them.
@MainActor package enum UncommonTypeShapes {
    package static var actions: [() -> Void] = []

    static let all = [
        associatedFunction, packFunction, packOfFunctions, typedThrows, noncopyableFunction, opaqueFunction,
        isolatedFunction,
        asyncGenericFunction, fixedArray, dependentMetatype, functionOfFunctions, existentialOfAssociated, cFunction,
        genericAsyncStream, recursiveGeneric,
    ]

    /// A shape in which one of the actions holds the screen.
    private static func shape(
        _ name: String, references: Int = 1, _ makeAction: @escaping @MainActor @Sendable (DetailScreen) -> () -> Void
    ) -> Shape {
        let expectation = Expectation.held(.global("UncommonTypeShapes.actions"), .through("[1]"))
        return Shape("uncommon capture: \(name)", expectation.references(references)) {
            let screen = DetailScreen()
            actions = [{}, makeAction(screen)]
            return Planted(screen) { actions = [] }
        }
    }

    private static let associatedFunction = shape("function of associated types") { screen in
        walk([screen.taps, 2], { screen.taps += $0 }, { $0.count })
    }

    private static let packFunction = shape("function of a pack") { screen in
        call({ (number: Int, text: String) in screen.title = text + "\(number)" }, with: 1, "two")
    }

    private static let packOfFunctions = shape("pack of functions", references: 3) { screen in
        callAll({ screen.taps += 1 }, { "\(screen.taps)" }, { [screen.taps] })
    }

    private static let typedThrows = shape("function with a typed error") { screen in
        attempt(Failure.self) { () throws(Failure) in
            if screen.taps > 100 { throw Failure() }
        }
    }

    private static let noncopyableFunction = shape("function of a noncopyable type") { screen in
        consumeLater { (ticket: consuming Ticket) in screen.taps += ticket.number }
    }

    private static let opaqueFunction = shape("function of an opaque type", references: 2) { screen in
        use(framed(screen)) {
            screen.taps += 1
            $0.show()
        }
    }

    private static let isolatedFunction = shape("function with an isolation of its own") { screen in
        keepIsolated { @MainActor in screen.tap() }
    }

    private static let asyncGenericFunction = shape("async function of associated types") { screen in
        keepAsync([1, 2, 3]) { (number: Int) async in screen.taps += number }
    }

    private static let fixedArray = shape("inline array of functions") { screen in
        let number = screen.taps + 1
        return inTurn([{ screen.taps += number }, {}])
    }

    private static let dependentMetatype = shape("metatype of an associated type") { screen in
        withType(of: [screen])
    }

    private static let functionOfFunctions = shape("function of functions") { screen in
        compose({ (inner: @escaping (Int) -> String) in { screen.title = inner($0) } }, { "\($0)" })
    }

    private static let existentialOfAssociated = shape("existential of an associated type") { screen in
        keepAny([[screen]])
    }

    private static let cFunction = shape("function of C") { screen in
        withCFunction(screen) { $0 + 1 }
    }

    private static let genericAsyncStream = shape("iterator of an associated type", references: 2) { screen in
        iterate([screen, screen].lazy.map { $0.taps }.makeIterator())
    }

    private static let recursiveGeneric = shape("type that is deep in itself") { screen in
        keepDeep(Layer(Layer(Layer(Layer(screen)))))
    }
}

private struct Failure: Error {}

private struct Ticket: ~Copyable {
    let number: Int
}

private struct Layer<Content> {
    let content: Content

    init(_ content: Content) { self.content = content }
}

@inline(never)
private func walk<Elements: Collection, Result>(
    _ elements: Elements, _ act: @escaping (Elements.Element) -> Void, _ sum: @escaping (Elements.SubSequence) -> Result
) -> () -> Void {
    {
        for element in elements { act(element) }
        _ = sum(elements[...])
    }
}

@inline(never)
private func call<each Value>(_ act: @escaping (repeat each Value) -> Void, with values: repeat each Value) -> () ->
    Void
{
    { act(repeat each values) }
}

@inline(never)
private func callAll<each Value>(_ acts: repeat @escaping () -> each Value) -> () -> Void {
    { _ = (repeat (each acts)()) }
}

@inline(never)
private func attempt<Problem: Error>(_ type: Problem.Type, _ act: @escaping () throws(Problem) -> Void) -> () -> Void {
    {
        do throws(Problem) {
            try act()
        } catch {
            _ = type == Problem.self
        }
    }
}

@inline(never)
private func consumeLater(_ act: @escaping (consuming Ticket) -> Void) -> () -> Void {
    { act(Ticket(number: 3)) }
}

@inline(never)
private func use<Value: Showable>(_ value: Value, _ act: @escaping (Value) -> Void) -> () -> Void {
    { act(value) }
}

@inline(never)
private func keepIsolated(_ act: @escaping @isolated(any) @Sendable () -> Void) -> () -> Void {
    { _ = act.isolation }
}

@inline(never)
private func keepAsync<Elements: Collection>(
    _ elements: Elements, _ act: @escaping (Elements.Element) async -> Void
) -> () -> Void {
    {
        let run = { for element in elements { await act(element) } }
        withExtendedLifetime(run) {}
    }
}

@inline(never)
private func inTurn(_ acts: [2 of () -> Void]) -> () -> Void {
    { for index in acts.indices { acts[index]() } }
}

@inline(never)
private func withType<Elements: Collection>(of elements: Elements) -> () -> Void {
    let type = Elements.Element.self
    let subtype = Elements.SubSequence.Index.self
    return { _ = (type, subtype, elements.isEmpty) }
}

@inline(never)
private func compose<First, Second, Result>(
    _ outer: @escaping (@escaping (First) -> Second) -> (First) -> Result, _ inner: @escaping (First) -> Second
) -> () -> Void {
    { _ = outer(inner) }
}

@inline(never)
private func keepAny<Elements: Collection>(_ elements: Elements) -> () -> Void where Elements.Element: Collection {
    let first: (any Collection<Elements.Element.Element>)? = elements.first
    return { _ = first?.isEmpty }
}

@inline(never)
private func withCFunction<Value: AnyObject>(
    _ value: Value, _ function: @escaping @convention(c) (Int32) -> Int32
) -> () -> Void {
    { withExtendedLifetime(value) { _ = function(1) } }
}

@inline(never)
private func iterate<Iterator: IteratorProtocol>(_ iterator: Iterator) -> () -> Void {
    var iterator = iterator
    var last: Iterator.Element?
    return { last = iterator.next() ?? last }
}

@inline(never)
private func keepDeep<Value>(_ layer: Layer<Layer<Value>>) -> () -> Void {
    { withExtendedLifetime(layer) {} }
}
