import CRetainPaths
import Foundation
import Testing

@testable import RetainPaths

/// In collections and other objects of libraries, layouts find exactly the planted references.
@Suite struct LayoutLibraryTests {
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

    @Test func referencesInManagedBuffersAndActorsAreFound() {
        let planted = Planted()
        let buffer = Buffer.create(minimumCapacity: 2) { _ in Position(owner: planted) }
        expectReferences(of: buffer, holds: [("header.owner", planted)])
        expectReferences(of: PlantedActor(planted), holds: [("item", planted)])
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
