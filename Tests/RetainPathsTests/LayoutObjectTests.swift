import Testing

@testable import RetainPaths

/// In objects of the program, layouts find exactly the planted references.
@Suite struct LayoutObjectTests {
    @Test func referencesInPropertiesOfAllKindsAreFound() {
        let planted = (0..<7).map(Planted.init)
        let plain = Plain(planted)
        let lazily = plain.lazily
        expectReferences(
            of: plain,
            holds: [
                ("strong", planted[0]), ("optional", planted[1]), ("lazily", lazily),
                ("_wrapped.wrappedValue", planted[2]), ("pair.0", planted[3]), ("pair.1", planted[4]),
                ("labelled.second", planted[5]), ("position.owner", planted[6]),
            ], among: { $0 != "text" })
    }

    @Test func layoutMatchesOffsetsAndSizesOfTheCompiler() throws {
        struct Mixed {
            var small: UInt8 = 1
            var first = Planted()
            var bool = true
            var position: Position? = Position(owner: Planted())
            var last: Planted?
        }
        let layout = LayoutCompiler().value(Metadata(of: Mixed.self), depth: 0)
        // No type names were tried, so the layout knows only the properties that need no names: classes.
        let strong = layout.slots.filter { $0.kind == .strong }.map(\.offset)
        #expect(
            try strong == [
                #require(MemoryLayout<Mixed>.offset(of: \.first)), #require(MemoryLayout<Mixed>.offset(of: \.last)),
            ])
        #expect(layout.size == MemoryLayout<Mixed>.size && layout.stride == MemoryLayout<Mixed>.stride)
        #expect(layout.alignment == MemoryLayout<Mixed>.alignment)
        #expect(layout.isPartlyConservative)
    }

    @Test func nonOwningPropertiesAreNotStrongReferences() {
        let planted = Planted()
        let loose = Loose(planted)
        expectReferences(of: loose, holds: [("strong", planted)])
        let others = LayoutReader(of: loose).others
        #expect(
            Set(others) == [
                "weakly", "weakProtocol", "unowned", "unownedProtocol", "unownedOptional", "unsafely", "unmanaged",
                "pointer",
            ])
    }

    @Test func propertiesOfGenericSuperclassesAreFound() {
        let planted = (0..<3).map(Planted.init)
        let derived = Derived(planted[0], value: Position(owner: planted[1]))
        derived.inDerived = planted[2]
        expectReferences(
            of: derived,
            holds: [("inBase", planted[0]), ("value.owner", planted[1]), ("inDerived", planted[2])],
            among: { $0 != "values" })
        derived.value = nil
        derived.inDerived = nil
        expectReferences(of: derived, holds: [("inBase", planted[0])], among: { $0 != "values" })
    }

    @Test func referencesInEveryEnumCaseAreFound() {
        let planted = (0..<3).map(Planted.init)
        let enums = Enums()
        expectReferences(of: enums, holds: [], among: { $0 != "result.failure" })

        enums.single = .running(planted[0], planted[1])
        enums.state = .loading(planted[2])
        enums.twice = .some(.some(planted[0]))
        enums.result = .success(planted[1])
        enums.choice = Position(owner: planted[2])
        expectReferences(
            of: enums,
            holds: [
                ("single.running.0", planted[0]), ("single.running.1", planted[1]), ("state.loading", planted[2]),
                ("twice", planted[0]), ("result.success", planted[1]), ("choice.owner", planted[2]),
            ])

        enums.twice = .some(nil)
        enums.state = .loaded(items: planted[1], count: 4)
        enums.single = .none
        expectReferences(
            of: enums,
            holds: [
                ("state.loaded.items", planted[1]), ("result.success", planted[1]), ("choice.owner", planted[2]),
            ])
        enums.state = .finished
        expectReferences(of: enums, holds: [("result.success", planted[1]), ("choice.owner", planted[2])])
    }

    @Test func referencesInBoxesOfErrorsAndIndirectCasesAreFound() throws {
        let planted = Planted()
        let enums = Enums()
        enums.result = .failure(Failure(culprit: planted))
        enums.state = .nested(planted)
        enums.tree = .node(.leaf(planted), .empty)
        let found = LayoutReader(of: enums)
        #expect(found.names == ["result.failure", "state.nested", "tree.node"])
        let boxes = Dictionary(uniqueKeysWithValues: found.references.map { ($0.name, $0.address) })
        let error = try LayoutReader(at: #require(boxes["result.failure"]))
        #expect(error.references == [.init(name: "culprit", address: planted.address)])
        let nested = try LayoutReader(at: #require(boxes["state.nested"]))
        #expect(nested.references == [.init(name: "", address: planted.address)])
        let node = try LayoutReader(at: #require(boxes["tree.node"]))
        #expect(node.references.count == 1 && node.names[0].hasSuffix("leaf"), "\(node.references)")
        let leaf = try LayoutReader(at: #require(node.references.first).address)
        #expect(leaf.references == [.init(name: "", address: planted.address)])
        withExtendedLifetime((enums, planted)) {}
    }

    @Test func referencesInExistentialsAreFound() throws {
        let planted = (0..<7).map(Planted.init)
        let existentials = Existentials()
        expectReferences(of: existentials, holds: [], among: { $0 != "collection" })
        existentials.any = Position(owner: planted[0])
        existentials.describing = planted[1]
        existentials.object = planted[2]
        existentials.bounded = planted[3]
        existentials.composed = planted[4]
        existentials.collection = CollectionOfOne(planted[5])
        existentials.hashable = AnyHashable(planted[6])
        let found = LayoutReader(of: existentials)
        let byName = Dictionary(uniqueKeysWithValues: found.references.map { ($0.name, $0.address) })
        #expect(byName["any.owner"] == planted[0].address)
        #expect(byName["describing"] == planted[1].address)
        #expect(byName["object"] == planted[2].address)
        #expect(byName["bounded"] == planted[3].address)
        #expect(byName["composed"] == planted[4].address)
        #expect(byName["collection"] == planted[5].address)
        #expect(byName["hashable"] == planted[6].address)
        #expect(found.references.count == 7 && found.unknown.isEmpty)

        // The value is larger than the buffer of the existential, so it is in a box.
        existentials.describing = Wide(owner: planted[1])
        let boxed = LayoutReader(of: existentials).references.first { $0.name == "describing" }
        let box = try LayoutReader(at: #require(boxed).address)
        #expect(box.references == [.init(name: "owner", address: planted[1].address)])
        withExtendedLifetime((existentials, planted)) {}
    }

    @Test func referencesInGenericPropertiesAreFound() {
        let planted = (0..<4).map(Planted.init)
        let holder = GenericHolder(Position(owner: planted[0]), CollectionOfOne(planted[1]))
        expectReferences(
            of: holder,
            holds: [("first.owner", planted[0]), ("second", planted[1]), ("element", planted[1])],
            among: { $0 != "function" })

        let pack = PackHolder(1, planted[2], Position(owner: planted[3]), "text")
        expectReferences(
            of: pack,
            holds: [("values.1", planted[2]), ("values.2.owner", planted[3]), ("strong", pack.strong)])

        let fixed = FixedHolder(Position(owner: planted[0]))
        expectReferences(
            of: fixed,
            holds: [
                ("before", fixed.before), ("cells[0].owner", planted[0]), ("cells[1].owner", planted[0]),
                ("cells[2].owner", planted[0]), ("after", fixed.after),
            ])
    }

    @Test func referencesInNoncopyablePropertiesAreFound() {
        let planted = Planted()
        let uncopied = Uncopied(planted)
        expectReferences(
            of: uncopied,
            holds: [
                ("mutex", planted), ("optional.owner", planted), ("resource.owner", planted),
                ("nested.value.owner", planted), ("reference", planted), ("last", planted),
            ], among: { $0 != "state" })
        #expect(LayoutReader(of: uncopied).names.contains("state"))
        expectReferences(of: GenericMutexHolder(planted), holds: [("mutex", planted)])
        expectReferences(of: GenericMutexHolder(Position(owner: planted)), holds: [("mutex.owner", planted)])
    }
}
