import LifetimeTracer
import Testing

@testable import RetainPaths

@Suite struct ReportFingerprintTests {
    /// A leak through a hub, with the parts that may differ from run to run as parameters.
    private func leak(
        at start: UInt = 0x1000, index: Int = 2, key: String = "a", property: String = "subs",
        closure: String = Mangled.closure1,
        type: String = "Demo.Screen", thread: Bool = false
    ) throws -> RetainExplanation {
        let heap = MadeUpHeap(at: start)
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", property),
            heap.dictionary(.string(key)),
            heap.array(index, "1", code: heap.symbol(closure)), heap.closure(), heap.end(type),
        ]
        return try explain(.made(.reachable, steps), in: heap)
    }

    @Test func sameLeakHasTheSameFingerprint() throws {
        let first = try leak()
        #expect(first.fingerprint != nil)
        #expect(try leak(at: 0x7000_0000).fingerprint == first.fingerprint)
        #expect(try leak(index: 9, key: "b").fingerprint == first.fingerprint)
        // A partial-apply forwarder of the closure, and a neighbouring closure.
        #expect(try leak(closure: Mangled.closure1 + "TA").fingerprint == first.fingerprint)
        #expect(try leak(closure: Mangled.closure2).fingerprint == first.fingerprint)
        #expect(first.signature == "static Hub.shared → Hub.subs.1 → closure in Screen.bind(_:to:) → Screen")
        #expect(try leak(index: 9, key: "b").signature == first.signature)
    }

    @Test func fingerprintDependsOnTypePropertyAndClosure() throws {
        let all = try [
            leak(), leak(property: "others"), leak(type: "Demo.Detail"), leak(type: "Other.Screen"),
            leak(closure: Mangled.hubClosure),
        ].map(\.fingerprint)
        #expect(Set(all).count == all.count)
    }

    @Test func fingerprintIgnoresAddressInPrivateTypeName() throws {
        let first = try leak(type: "Demo.(unknown context at $55f7e80fe370).Screen")
        let second = try leak(type: "Demo.(unknown context at $7f0000000000).Screen")
        #expect(first.fingerprint == second.fingerprint)
        #expect(first.shortTypeName == "Screen")
    }

    @Test func fingerprintIgnoresDistanceToTheRoot() throws {
        let heap = MadeUpHeap()
        let code = heap.symbol(Mangled.closure1)
        let end = [
            heap.object("Demo.Hub", "subs"), heap.array(2, "1", code: code), heap.closure(), heap.end("Demo.Screen"),
        ]
        let near = try explain(.made(.reachable, [heap.root(Mangled.hubShared)] + end), in: heap)
        let far = try explain(
            .made(.reachable, [heap.root(Mangled.cache), heap.object("Demo.App", "hub")] + end), in: heap)
        #expect(near.fingerprint == far.fingerprint)
        #expect(near.signature != far.signature)
    }

    @Test func fingerprintOfCycleIgnoresTheStartObject() throws {
        let heap = MadeUpHeap()
        let child = heap.object("Demo.Child", "parent")
        let parent = heap.object("Demo.Parent", "children")
        let array = heap.array(0)
        let fromChild = try explain(.made(.cycle, [child, parent, array], cycle: 0...2), in: heap)
        let fromParent = try explain(.made(.cycle, [parent, array, child], cycle: 0...2), in: heap)
        let leaked = try explain(
            .made(.leakedByCycle, [parent, array, child, parent, heap.end("Demo.Screen")], cycle: 0...2), in: heap)
        #expect(fromChild.fingerprint == fromParent.fingerprint)
        #expect(leaked.fingerprint == fromParent.fingerprint)
        // The search may enter the cycle in the elements of the array.
        let fromArray = try explain(
            .made(.leakedByCycle, [array, child, parent, array, heap.end("Demo.Screen")], cycle: 0...2), in: heap)
        #expect(fromArray.fingerprint == fromParent.fingerprint)
        #expect(fromChild.signature == "Child.parent → Parent.children → Child")
        let other = try explain(
            .made(.cycle, [child.with { $0.names = [.init(text: "owner")] }, parent, array], cycle: 0...2), in: heap)
        #expect(other.fingerprint != fromChild.fingerprint)
    }

    @Test func cycleFromStorageOrOfOneClosureHasFingerprint() throws {
        let heap = MadeUpHeap()
        let array = heap.array(0)
        let leaked = try explain(
            .made(
                .leakedByCycle, [array, heap.object("Demo.Node", "all"), array, heap.end("Demo.Screen")], cycle: 0...1),
            in: heap)
        #expect(leaked.fingerprint != nil)
        let code = heap.symbol(Mangled.closure1)
        let closure = heap.closure(edge: .function, code: code)
        let alone = try explain(
            .made(.leakedByCycle, [closure, closure, heap.end("Demo.Screen")], cycle: 0...0), in: heap)
        #expect(alone.fingerprint != nil)
        #expect(alone.lines().first?.text == "closure #1 (String) -> () in Screen.bind(_:to:) captures a closure")
    }

    @Test func fingerprintIgnoresCasesInsideProperties() throws {
        let heap = MadeUpHeap()
        let explanations = try [
            [HeapAnswer.Step.Name(text: "state"), .init(text: "owner")],
            [.init(text: "state"), .init(text: "loaded", isCase: true), .init(text: "owner")],
            [.init(text: "loaded", isCase: true), .init(text: "owner")],
            [.init(text: "loaded"), .init(text: "owner")],
        ].map { (names: [HeapAnswer.Step.Name]) in
            let object = heap.object("Demo.Hub").with { $0.names = names }
            return try explain(
                .made(.reachable, [heap.root(Mangled.hubShared), object, heap.end("Demo.Screen")]), in: heap)
        }
        #expect(explanations[0].fingerprint == explanations[1].fingerprint)
        #expect(explanations[0].signature == explanations[1].signature)
        #expect(explanations[1].path[1].through == ".state.loaded.owner")
        // A case that lies in no property is part of the fingerprint.
        #expect(explanations[2].fingerprint != explanations[0].fingerprint)
        #expect(explanations[2].fingerprint == explanations[3].fingerprint)
    }

    @Test func fingerprintIgnoresBuildDependentSteps() throws {
        let heap = MadeUpHeap()
        let code = heap.symbol(Mangled.closure1)
        let other = heap.symbol(Mangled.hubClosure)
        let start = [heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code)]
        let end = heap.end("Demo.Screen")
        let plain = try explain(.made(.reachable, start + [heap.closure(), end]), in: heap)
        let box = heap.closure().with { $0.names = [.init(text: "0.screen")] }
        let boxed = try explain(.made(.reachable, start + [heap.closure(), box, end]), in: heap)
        let passedOn = try explain(
            .made(
                .reachable,
                [
                    start[0], start[1].with { $0.code = other }, heap.closure(edge: .function, code: code),
                    heap.closure(), end,
                ]),
            in: heap)
        #expect(boxed.fingerprint == plain.fingerprint)
        #expect(passedOn.fingerprint == plain.fingerprint)
        #expect(passedOn.path.count == plain.path.count + 1)
        #expect(passedOn.signature == plain.signature)
        // The property of a held object is part of the fingerprint.
        let object = { heap.object("Demo.Hub", "box") }
        let two = try ["a", "b"].map { name in
            try explain(
                .made(.reachable, [start[0], object(), .made(.genericBox, at: heap.address(), name: name), end]),
                in: heap)
        }
        #expect(two[0].fingerprint != two[1].fingerprint)
    }

    @Test func fingerprintIgnoresThreadNumberAndStrippedOffset() throws {
        let heap = MadeUpHeap()
        let end = heap.end("Demo.Screen")
        let roots: [(Int) -> HeapAnswer.Step.Node] = [{ .rootStack(thread: $0) }, { .rootThreadLocal(thread: $0) }]
        for root in roots {
            let found = try [1, 2].map { number in
                try explain(
                    .made(.reachable, [.made(root(number), at: heap.address()), end]), in: heap,
                    threads: [number: "worker \(number)"])
            }
            #expect(found[0].fingerprint == found[1].fingerprint)
            #expect(found[0].fingerprint != nil)
        }
        let places = try [UInt(0x100), 0x200].map { offset in
            try explain(.made(.reachable, [.made(.rootData, at: heap.unnamed(at: offset)), end]), in: heap)
        }
        #expect(places[0].fingerprint == places[1].fingerprint)
    }

    @Test func fingerprintIsParsedFromItsDescription() throws {
        let fingerprint = try unwrapped(leak().fingerprint)
        #expect(Fingerprint(description: "\(fingerprint)") == fingerprint)
        for wrong in ["", "123", "\(fingerprint)0", "ABCDEF0123456789", "+bcdef0123456789", "abcdef012345678é"] {
            #expect(Fingerprint(description: wrong) == nil)
        }
    }
}
