import CRetainPaths
import Testing

@testable import RetainPaths

/// Layouts find the captures in the contexts of closures, including generic closures.
@Suite struct LayoutClosureTests {
    private func references(_ function: Function) -> (reader: LayoutReader, addresses: Set<UInt>) {
        let reader = LayoutReader(at: function.context)
        #expect(reader.unknown.isEmpty, "\(reader.unknown)")
        return (reader, Set(reader.references.map(\.address)))
    }

    @Test func aSingleCapturedObjectIsTheContext() {
        let planted = Planted()
        let function = Function { use(planted) }
        #expect(function.context == planted.address)
    }

    @Test func layoutFindsAllCapturedObjects() {
        let one = Planted(1)
        let other = Planted(2)
        let number = 3
        let position = Position(owner: Planted(3))
        let function = Function { use(one, other, number, position) }
        let (reader, addresses) = references(function)
        #expect(addresses == [one.address, other.address, position.owner.address])
        #expect(reader.names.contains("owner"))
    }

    @Test func weakAndUnownedCapturesHoldNothing() throws {
        let planted = Planted(1)
        let other = Planted(2)
        let function = Function { [weak planted, unowned other] in use(planted as Any, other) }
        let (reader, addresses) = references(function)
        // The weak reference is in its own box.
        #expect(!addresses.contains(planted.address) && !addresses.contains(other.address))
        #expect(reader.others == [""])
        for box in addresses {
            let inside = LayoutReader(at: box)
            #expect(inside.references.isEmpty && inside.unknown.isEmpty && inside.others.count == 1)
        }
        withExtendedLifetime((planted, other)) {}
    }

    @Test func layoutFindsReferencesInBoxesOfVariables() throws {
        var planted = Planted(1)
        var pair = (1, Planted(2))
        var optional: Position?
        let change = {
            planted = Planted(3)
            pair.1 = planted
            optional = Position(owner: planted)
        }
        let function = Function {
            change()
            use(planted, pair, optional as Any)
        }
        let (_, addresses) = references(function)
        #expect(addresses.count == 4)
        var found: Set<UInt> = []
        for box in addresses {
            let reader = LayoutReader(at: box)
            #expect(reader.unknown.isEmpty)
            found.formUnion(reader.references.map(\.address))
        }
        #expect(found.isSuperset(of: [planted.address, pair.1.address]))
        change()
        withExtendedLifetime(function) {}
    }

    @Test func layoutFindsContextsOfCapturedFunctions() {
        let planted = Planted(1)
        let inner: (Int) -> Int = { $0 + planted.number }
        let maybe: (() -> Void)? = { use(planted) }
        let none: (() -> Void)? = nil
        let function = Function {
            _ = inner(1)
            maybe?()
            none?()
        }
        let (reader, addresses) = references(function)
        #expect(addresses == [planted.address])
        #expect(reader.functions.count == reader.references.count && reader.functions.count >= 1)
    }

    @Test func layoutFindsReferencesInCapturedExistentialsAndEnums() {
        let one = Planted(1)
        let other = Planted(2)
        let any: Any = Position(owner: one)
        let bounded: any PlantedProtocol = other
        let state = State.loaded(items: one, count: 2)
        let text: String? = "as long as it must be not to fit into the string itself"
        let function = Function { use(any, bounded, state, text as Any) }
        let (reader, addresses) = references(function)
        #expect(addresses.isSuperset(of: [one.address, other.address]))
        #expect(reader.names.contains("loaded.items"))
    }

    private func generic<First, Second: Collection>(
        _ first: First, _ second: Second, _ planted: Planted
    ) -> Function {
        Function { use(first, second, second.first as Any, planted) }
    }

    @Test func layoutOfGenericClosureDependsOnTypeArguments() {
        let planted = (0..<4).map(Planted.init)
        let one = generic(planted[0], CollectionOfOne(planted[1]), planted[2])
        #expect(references(one).addresses == [planted[0].address, planted[1].address, planted[2].address])
        // With other generic arguments, the same closure has another layout.
        let other = generic((1, Position(owner: planted[3]), true), 0..<3, planted[2])
        let (reader, addresses) = references(other)
        #expect(addresses == [planted[3].address, planted[2].address])
        #expect(reader.names.contains("1.owner"))
    }

    private func dependent<Elements: Sequence>(
        _ elements: Elements, _ transform: @escaping (Elements.Element) -> Elements.Element
    ) -> Function {
        let first = elements.first { _ in true }
        let inner: (Elements.Element?) -> Elements.Element? = { $0.map(transform) }
        return Function { use(inner(first) as Any, elements) }
    }

    @Test func objectBehindCapturesOfAssociatedTypesIsFound() {
        let planted = Planted()
        // The captures have lowered types with associated types. Looking up such a type makes the runtime abort the
        // program.
        let function = dependent([Position(owner: planted)]) { $0 }
        let reader = LayoutReader(at: function.context)
        var seen: Set<UInt> = []
        var next = reader.references
        while let reference = next.popLast() {
            guard seen.insert(reference.address).inserted, reference.address != planted.address else { continue }
            next += LayoutReader(at: reference.address).references
        }
        #expect(seen.contains(planted.address))
        withExtendedLifetime(function) {}
    }

    private final class GenericOwner<Value> {
        var value: Value
        init(_ value: Value) { self.value = value }

        func function(_ other: Value, _ planted: Planted) -> Function {
            Function { use(self, planted, self.value, other) }
        }
        func capturesSelf(_ planted: Planted, _ number: Int) -> Function {
            Function { [array = [value]] in use(self, planted, number, array) }
        }
    }

    @Test func capturedGenericSelfIsFoundAsReference() {
        let planted = (0..<3).map(Planted.init)
        let owner = GenericOwner(planted[0])
        let address = UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque())
        let function = owner.capturesSelf(planted[1], 5)
        let reader = LayoutReader(at: function.context)
        #expect(reader.references.map(\.address).contains(address))
        #expect(reader.references.map(\.address).contains(planted[1].address))
        #expect(reader.references.count == 3 && reader.unknown.isEmpty, "\(reader.unknown)")
        withExtendedLifetime((function, owner)) {}
    }

    private func packed<each Value>(_ values: repeat each Value, planted: Planted) -> Function {
        Function { use((repeat each values), planted) }
    }

    @Test func layoutFindsReferencesInCapturedParameterPacks() {
        let planted = (0..<3).map(Planted.init)
        let several = packed((true, 1), Position(owner: planted[1]), UInt8(3), planted[2], planted: planted[0])
        #expect(references(several).addresses == Set(planted.map(\.address)))
        #expect(references(several).reader.names.contains("1.owner"))
        #expect(references(packed(planted: planted[0])).addresses == [planted[0].address])
        let one = packed(planted[1], planted: planted[0])
        #expect(references(one).addresses == [planted[0].address, planted[1].address])
    }

    private func forgetful<Value: AnyObject, Number: BinaryInteger>(_ value: Value, _ number: Number) -> Function {
        var calls = number
        return Function {
            calls += 1
            use(value)
        }
    }

    @Test func captureBesideBoxOfConstrainedTypeIsFound() {
        let planted = Planted()
        // The mangled name of the box's type contains the generic signature.
        #expect(references(forgetful(planted, 3)).addresses.contains(planted.address))
    }

    @Test func layoutFindsReferencesInGenericBoxes() {
        func boxed<Value>(_ value: Value) -> Function {
            var variable = value
            let set: (Value) -> Void = { variable = $0 }
            return Function {
                set(value)
                use(variable)
            }
        }
        let planted = Planted()
        let function = boxed(Position(owner: planted))
        let reader = LayoutReader(at: function.context)
        var found: Set<UInt> = Set(reader.references.map(\.address))
        for reference in reader.references where reference.address != planted.address {
            found.formUnion(LayoutReader(at: reference.address).references.map(\.address))
        }
        #expect(found.contains(planted.address))
        withExtendedLifetime(function) {}
    }
}

/// Takes an argument of any type, so that a closure captures it.
@inline(never)
private func use(_ values: Any...) {}
