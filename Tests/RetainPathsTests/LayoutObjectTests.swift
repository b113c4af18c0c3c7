import CRetainPaths
import Foundation
import Testing

@testable import RetainPaths

/// In real objects, layouts find exactly the planted references.
@Suite struct LayoutObjectTests {
    /// Compares the references that the layout finds in an object with the expected ones.
    private func expect(
        _ object: AnyObject, holds expected: [(String, AnyObject?)], among names: ((String) -> Bool) = { _ in true },
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let reader = LayoutReader(of: object)
        let found = Set(reader.references.filter { names($0.name) })
        let wanted = Set(
            expected.compactMap { name, object in
                object.map {
                    LayoutReader.Reference(
                        name: name, address: UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()))
                }
            })
        #expect(found == wanted, sourceLocation: sourceLocation)
        #expect(reader.unknown.isEmpty, "\(reader.unknown)", sourceLocation: sourceLocation)
        withExtendedLifetime(object) {}
    }

    @Test func referencesInPropertiesOfAllKindsAreFound() {
        let planted = (0..<7).map(Planted.init)
        let plain = Plain(planted)
        let lazily = plain.lazily
        expect(
            plain,
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
        expect(loose, holds: [("strong", planted)])
        let others = LayoutReader(of: loose).others
        #expect(
            Set(others) == [
                "weakly", "weakProtocol", "unowned", "unownedProtocol", "unownedOptional", "unsafely", "unmanaged",
            ])
    }

    @Test func propertiesOfGenericSuperclassesAreFound() {
        let planted = (0..<3).map(Planted.init)
        let derived = Derived(planted[0], value: Position(owner: planted[1]))
        derived.inDerived = planted[2]
        expect(
            derived,
            holds: [("inBase", planted[0]), ("value.owner", planted[1]), ("inDerived", planted[2])],
            among: { $0 != "values" })
        derived.value = nil
        derived.inDerived = nil
        expect(derived, holds: [("inBase", planted[0])], among: { $0 != "values" })
    }

    @Test func referencesInEveryEnumCaseAreFound() {
        let planted = (0..<3).map(Planted.init)
        let enums = Enums()
        expect(enums, holds: [], among: { $0 != "result.failure" })

        enums.single = .running(planted[0], planted[1])
        enums.state = .loading(planted[2])
        enums.twice = .some(.some(planted[0]))
        enums.result = .success(planted[1])
        enums.choice = Position(owner: planted[2])
        expect(
            enums,
            holds: [
                ("single.running.0", planted[0]), ("single.running.1", planted[1]), ("state.loading", planted[2]),
                ("twice", planted[0]), ("result.success", planted[1]), ("choice.owner", planted[2]),
            ])

        enums.twice = .some(nil)
        enums.state = .loaded(items: planted[1], count: 4)
        enums.single = .none
        expect(
            enums,
            holds: [
                ("state.loaded.items", planted[1]), ("result.success", planted[1]), ("choice.owner", planted[2]),
            ])
        enums.state = .finished
        expect(enums, holds: [("result.success", planted[1]), ("choice.owner", planted[2])])
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
        expect(existentials, holds: [], among: { $0 != "collection" })
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

    @Test func referencesInCollectionsAreFound() {
        final class Collections {
            var array: [Planted] = []
            var strings: [String] = []
            var dictionary: [String: Planted] = [:]
            var set: Set<Planted> = []
            var nested: [[Planted]] = []
            var pairs: [(ObjectIdentifier, Planted, Int)] = []
            var states: [State] = []
            var optionals: [Planted?] = []
        }
        let planted = (0..<4).map(Planted.init)
        let collections = Collections()
        collections.array = planted
        collections.strings = ["short", String(repeating: "long", count: 8)]
        collections.dictionary = ["a": planted[0], "b": planted[1]]
        collections.set = [planted[2]]
        collections.nested = [[planted[3]]]
        collections.pairs = [(ObjectIdentifier(planted[0]), planted[1], 3)]
        collections.states = [.loading(planted[0]), .idle, .loaded(items: planted[2], count: 1)]
        collections.optionals = [nil, planted[1]]

        let outer = LayoutReader(of: collections)
        #expect(outer.unknown.isEmpty)
        let storages = Dictionary(uniqueKeysWithValues: outer.references.map { ($0.name, $0.address) })
        func references(_ name: String) -> [LayoutReader.Reference] {
            guard let storage = storages[name] else { return [] }
            let reader = LayoutReader(at: storage)
            #expect(reader.unknown.isEmpty, "\(name): \(reader.unknown)")
            return reader.references
        }
        #expect(
            references("array")
                == planted.enumerated().map { .init(name: "[\($0)]", address: $1.address) })
        #expect(references("strings").map(\.name) == ["[1]"])
        #expect(Set(references("dictionary").map(\.address)) == [planted[0].address, planted[1].address])
        #expect(references("set") == [.init(name: "key", address: planted[2].address)])
        #expect(references("nested").count == 1)
        #expect(references("pairs") == [.init(name: "[0].1", address: planted[1].address)])
        #expect(
            references("states") == [
                .init(name: "[0].loading", address: planted[0].address),
                .init(name: "[2].loaded.items", address: planted[2].address),
            ])
        #expect(references("optionals") == [.init(name: "[1]", address: planted[1].address)])
        withExtendedLifetime((collections, planted)) {}
    }

    @Test func layoutStatesKindOfDictionaryKey() {
        let layouts = TypeLayouts.shared
        struct Name: Hashable { let rawValue: String }
        struct Number: Hashable { let value: Int32 }
        struct Two: Hashable { let one: String, other: String }
        func kind(_ type: Any.Type) -> UInt32 {
            let metadata = Metadata(of: type)
            layouts.compile(metadata: [metadata.address])
            guard let table = layouts.table else { return .max }
            return UInt32(table.pointee.layouts[Int(rp_find_layout(table, metadata.address))].key_kind)
        }
        #expect(kind(String.self) == RP_KEY_STRING.rawValue)
        #expect(kind(Name.self) == RP_KEY_STRING.rawValue)
        #expect(kind(Notification.Name.self) == RP_KEY_STRING.rawValue)
        #expect(kind(Int.self) == RP_KEY_SIGNED.rawValue)
        #expect(kind(Number.self) == RP_KEY_SIGNED.rawValue)
        #expect(kind(UInt8.self) == RP_KEY_UNSIGNED.rawValue)
        #expect(kind(Two.self) == RP_KEY_NONE.rawValue)
        #expect(kind(Double.self) == RP_KEY_NONE.rawValue)
    }

    @Test func referencesInGenericPropertiesAreFound() {
        let planted = (0..<4).map(Planted.init)
        let holder = GenericHolder(Position(owner: planted[0]), CollectionOfOne(planted[1]))
        expect(
            holder,
            holds: [("first.owner", planted[0]), ("second", planted[1]), ("element", planted[1])],
            among: { $0 != "function" })

        let pack = PackHolder(1, planted[2], Position(owner: planted[3]), "text")
        expect(
            pack,
            holds: [("values.1", planted[2]), ("values.2.owner", planted[3]), ("strong", pack.strong)])

        let fixed = FixedHolder(Position(owner: planted[0]))
        expect(
            fixed,
            holds: [
                ("before", fixed.before), ("cells[0].owner", planted[0]), ("cells[1].owner", planted[0]),
                ("cells[2].owner", planted[0]), ("after", fixed.after),
            ])
    }

    @Test func referencesInNoncopyablePropertiesAreFound() {
        let planted = Planted()
        let uncopied = Uncopied(planted)
        expect(
            uncopied,
            holds: [
                ("mutex", planted), ("optional.owner", planted), ("resource.owner", planted),
                ("nested.value.owner", planted), ("reference", planted), ("last", planted),
            ], among: { $0 != "state" })
        #expect(LayoutReader(of: uncopied).names.contains("state"))
        expect(GenericMutexHolder(planted), holds: [("mutex", planted)])
        expect(GenericMutexHolder(Position(owner: planted)), holds: [("mutex.owner", planted)])
    }

    @Test func referencesInManagedBuffersAndActorsAreFound() {
        let planted = Planted()
        let buffer = Buffer.create(minimumCapacity: 2) { _ in Position(owner: planted) }
        expect(buffer, holds: [("header.owner", planted)])
        expect(PlantedActor(planted), holds: [("item", planted)])
        let table = TypeLayouts.shared.table
        let layout = table.map { $0.pointee.layouts[Int(rp_find_layout($0, Metadata(of: Buffer.self).address))] }
        #expect(layout?.tail == UInt8(RP_TAIL_MANAGED.rawValue))
    }

    @Test func referencesInConcurrencyTypesAreFound() async {
        final class Concurrent {
            var task: Task<Planted, Never>?
            var failing: Task<Void, any Error>?
            var stream: AsyncStream<Planted>.Continuation?
            var continuation: UnsafeContinuation<Void, Never>?
        }
        let concurrent = Concurrent()
        concurrent.task = Task { Planted() }
        concurrent.failing = Task {}
        concurrent.stream = AsyncStream.makeStream(of: Planted.self).continuation
        let found = LayoutReader(of: concurrent)
        #expect(found.names == ["failing", "stream", "task"] && found.unknown.isEmpty)
        _ = await concurrent.task?.value
    }

    @Test func continuationPropertyRefersToCanaryWithoutReferences() async throws {
        final class Waiting {
            var continuation: CheckedContinuation<Void, Never>?
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let waiting = Waiting()
            waiting.continuation = continuation
            let found = LayoutReader(of: waiting)
            #expect(found.names == ["continuation"])
            let canary = LayoutReader(at: found.references.first?.address ?? 0)
            // The function's name is a string literal.
            #expect(canary.references.isEmpty && canary.unknown.isEmpty && canary.size == 40)
            continuation.resume()
        }
    }

    @Test func foundationObjectsHaveKnownLayouts() {
        let center = NotificationCenter()
        let layout = LayoutReader(of: center)
        // Only the registrar is unknown: its type is noncopyable, in a library without local symbols.
        #expect(layout.unknown.allSatisfy { $0.name == "registrar" })
        let formatter = ISO8601DateFormatter()
        #expect(LayoutReader(of: formatter).unknown.isEmpty)
    }
}
