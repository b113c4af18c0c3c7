import LifetimeTracer
import Testing

@testable import RetainPaths

/// The texts of single steps of a path.
@Suite struct ReportStepTests {
    let heap = MadeUpHeap()

    private func path(_ steps: [HeapAnswer.Step], full: Bool = false) throws -> [String] {
        try explain(.made(.reachable, steps), in: heap).lines(full: full).map(\.text)
    }

    /// A word in a variable of which only the symbol tells the type, in an optimised program.
    @Test(
        arguments: [
            ("$s4Demo6outboxAA6OutboxVvp", "global outbox.…"), ("$s4Demo3HubC5stateAA5StateOvpZ", "static Hub.state.…"),
            ("$s4Demo5poolsAA4PoolVyAA4ItemCGvp", "global pools.…"),
            ("$s4Demo5PoolsV4rootACvpZ", "static Pools.root.…"),
            ("$s4Demo5stateAA5StateVSgvp", "global state.…"), ("$s4Demo3boxAA3BoxCyAA4ItemCGvp", "global box"),
            ("$s4Demo6actionAA5StateVAA4ItemCcSgvp", "global action"), ("$s4Demo4pairAA5StateV_Sitvp", "global pair"),
            (Mangled.hubShared, "static Hub.shared"), (Mangled.cache, "global cache"),
        ])
    func propertyOfValueOfUnknownTypeIsLeftOpen(variable: String, name: String) throws {
        let root = heap.root(variable).with { $0.names = [] }
        #expect(try path([root, heap.end("Demo.Screen")]) == [name, "Screen"])
    }

    @Test func closureWithoutContextIsShownAsClosure() throws {
        let code = heap.symbol(Mangled.closure1)
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code),
            heap.end("Demo.Screen"),
        ]
        #expect(
            try path(steps) == [
                "static Hub.shared", ".done",
                "closure #1 (String) -> () in Screen.bind(_:to:) captures Screen strongly",
            ])
    }

    @Test func aThunkIsFoldedAndItsClosureNamed() throws {
        let thunk = heap.symbol(Mangled.thunk)
        let code = heap.symbol(Mangled.closure1)
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: thunk),
            heap.closure(edge: .function, code: code), heap.closure(), heap.end("Demo.Screen"),
        ]
        #expect(
            try path(steps) == [
                "static Hub.shared", ".done",
                "closure #1 (String) -> () in Screen.bind(_:to:) captures Screen strongly",
            ])
        #expect(try path(steps, full: true)[2] == "thunk")
    }

    @Test func capturedVariablesArraysAndClosuresAreDescribed() throws {
        let code = heap.symbol(Mangled.closure1)
        let start = [heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code)]
        let name = "closure #1 (String) -> () in Screen.bind(_:to:)"
        let variable = start + [heap.closure(), .made(.genericBox, at: heap.address()), heap.end("Demo.Screen")]
        #expect(try path(variable).last == "\(name) captures Screen strongly, in a variable")
        let boxed = [
            heap.root(Mangled.cache), heap.closure().with { $0.names = [.init(text: "0.owner.screen")] },
            heap.end("Demo.Screen"),
        ]
        #expect(try path(boxed) == ["global cache.0.owner.screen", "Screen"])
        let number = boxed[1].with { $0.names = [.init(text: "1")] }
        #expect(try path([boxed[0], number, boxed[2]]) == ["global cache.1", "Screen"])
        let array = start + [heap.closure(), heap.array(0), heap.end("Demo.Screen")]
        #expect(try path(array).last == "\(name) captures Screen strongly, in an array")
        let leading = start + [heap.closure(), heap.object("Demo.Model", "screen"), heap.end("Demo.Screen")]
        #expect(try path(leading).suffix(3) == ["\(name) captures Model strongly", "Model.screen", "Screen"])
        let closures = start + [heap.closure(edge: .function, code: code), heap.closure(), heap.end("Demo.Screen")]
        #expect(
            try path(closures).suffix(2) == ["\(name) captures a closure", "\(name) captures Screen strongly"])
    }

    @Test(arguments: [
        (HeapAnswer.Step.Key.string("userDidLogIn"), "[\"userDidLogIn\"]"), (.signed(-42), "[-42]"),
        (.unsigned(.max), "[18446744073709551615]"), (nil, "[…]"),
        (.string("a\"b\\\u{1B}[2J"), #"["a\"b\\\u{1b}[2J"]"#),
        (.string(String(repeating: "x", count: 64)), "[\"\(String(repeating: "x", count: 64))…\"]"),
        (.string(String(repeating: "x", count: 62) + "\u{FFFD}"), "[\"\(String(repeating: "x", count: 62))…\"]"),
        (.string(""), "[\"\"]"),
    ])
    func dictionaryKeyIsShownInThePath(key: HeapAnswer.Step.Key?, text: String) throws {
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "observers"), heap.dictionary(key),
            heap.end("Demo.Screen"),
        ]
        #expect(try path(steps) == ["static Hub.shared", ".observers\(text)", "Screen"])
    }

    @Test func collectionStepsAreShownAsSubscripts() throws {
        let key = heap.dictionary(.string("x")).with { $0.isInKey = true }
        #expect(
            try path([heap.root(Mangled.cache), key, heap.end("Demo.Screen")]) == ["global cache.keys[…]", "Screen"])
        // The search represents the elements of a set as keys without values.
        let set = heap.object("Swift._SetStorage<Demo.Screen>").with { $0.isInKey = true }
        #expect(try path([heap.root(Mangled.cache), set, heap.end("Demo.Screen")]) == ["global cache[…]", "Screen"])
        let nested = [heap.root(Mangled.cache), heap.array(1), heap.dictionary(.signed(7), "items"), heap.array(0)]
        #expect(try path(nested + [heap.end("Demo.Screen")]) == ["global cache[1][7].items[0]", "Screen"])
    }

    @Test func propertiesOfInlinedValuesAreShown() throws {
        let existential = heap.object("Demo.Hub", "owner").with { $0.names.insert(.init(text: "state"), at: 0) }
        #expect(try path([heap.root(Mangled.hubShared), existential, heap.end("Demo.Screen")])[1] == ".state.owner")
        // Every property on the way, and the cases of enums.
        let nested = heap.object("Demo.Hub").with {
            $0.names = [
                .init(text: "state"), .init(text: "page.loaded"), .init(text: "ready", isCase: true),
                .init(text: "0", isCase: false), .init(text: "[2]"), .init(text: "hints"), .init(text: "owner"),
            ]
        }
        #expect(
            try path([heap.root(Mangled.hubShared), nested, heap.end("Demo.Screen")])[1]
                == ".state.page.loaded.ready.0[2].hints.owner")
        let capture = heap.closure().with {
            $0.names = [.init(text: "1.first"), .init(text: "filled", isCase: true), .init(text: "anchor")]
        }
        #expect(
            try path([heap.root(Mangled.cache), heap.object("Demo.Hub", "any"), capture, heap.end("Demo.Screen")])[1]
                == "Hub.any.1.first.filled.anchor")
        let lazy = heap.object("Demo.Hub", "$__lazy_storage_$_screen")
        #expect(try path([heap.root(Mangled.hubShared), lazy, heap.end("Demo.Screen")])[1] == ".screen")
        let box = [
            heap.object("Demo.Hub", "any"), HeapAnswer.Step.made(.errorBox, at: heap.address(), name: "screen"),
            heap.end("Demo.Screen"),
        ]
        #expect(try path([heap.root(Mangled.hubShared)] + box)[1] == ".any.screen")
    }

    @Test func objectIsNamedUnlessRootNamesItsType() throws {
        #expect(
            try path([heap.root(Mangled.hubShared), heap.object("Demo.SubHub", "a"), heap.end("Demo.Screen")])[1]
                == "SubHub.a")
        // If the property that holds the next step is unknown, only the type's name is shown.
        #expect(
            try path([heap.root(Mangled.hubShared), heap.object("Demo.Hub"), heap.end("Demo.Screen")])
                == ["static Hub.shared", "Hub", "Screen"])
        #expect(
            try path([heap.root("$s4Demo6ScreenC6sharedACvpZ"), heap.end("Demo.Screen")]).last == "Screen")
    }

    @Test func nestedTypeIsOmittedIfRootNamesTheType() throws {
        let root = heap.root("$s4Demo5OuterO3HubC6sharedAEvpZ")
        #expect(
            try path([root, heap.object("Demo.Outer.Hub", "a"), heap.end("Demo.Screen")])
                == ["static Outer.Hub.shared", ".a", "Screen"])
        #expect(try path([root, heap.object("Demo.Hub", "a"), heap.end("Demo.Screen")])[1] == ".a")
        #expect(try path([root, heap.object("Demo.Outer", "a"), heap.end("Demo.Screen")])[1] == ".a")
        #expect(try path([root, heap.object("Demo.Outer.Hu", "a"), heap.end("Demo.Screen")])[1] == "Outer.Hu.a")
    }

    @Test func libraryClosureIsFoldedBeforeProgramClosure() throws {
        let library = heap.symbol(
            "$s20FoundationEssentials18NotificationCenterC12_addObserver_6object5using"
                + "AC01_cF5TokenVSSSg_ypSgyxYbctlFyycfU_")
        let code = heap.symbol(Mangled.closure4)
        let start = [
            heap.root(Mangled.defaultCenter), heap.object("FoundationEssentials.NotificationCenter", "registrar"),
        ]
        let both =
            start + [
                heap.dictionary(nil, code: library), heap.closure(edge: .function, code: code), heap.closure(),
                heap.end("Demo.Screen"),
            ]
        #expect(
            try path(both) == [
                "NotificationCenter.default", ".registrar[…]",
                "closure #4 (Notification) -> () in Screen.bind(_:to:) captures Screen strongly",
            ])
        // If no closure of the program is on the path, the library's closure is shown.
        let alone = start + [heap.dictionary(nil, code: library), heap.closure(), heap.end("Demo.Screen")]
        #expect(try path(alone).last?.hasPrefix("closure #1 () -> () in NotificationCenter._addObserver") == true)
    }

    @Test func codeAddressInUnknownMemoryNamesTheClosure() throws {
        func path(_ symbol: String) throws -> [String] {
            let block = HeapAnswer.Step.made(
                .block, at: heap.address(), edge: .conservative, isPrecise: false, code: heap.symbol(symbol))
            return try self.path([heap.root(Mangled.cache), block, heap.closure(), heap.end("Demo.Screen")])
        }
        #expect(
            try path(Mangled.closure1 + "TA")
                == ["global cache", "closure #1 (String) -> () in Screen.bind(_:to:) captures Screen strongly"])
        let memory = ["global cache", "48 bytes of memory", "Screen"]
        // A resume function is stored before the first variable of the called function.
        for suffix in ["TY0_", "TQ1_"] { #expect(try path(Mangled.closure1 + suffix) == memory) }
        // Other addresses in code are chance.
        #expect(try path("$s4Demo6ScreenC1xSivg") == memory)
        #expect(try path("malloc") == memory)
        #expect(try path(Mangled.thunk) == memory)
    }

    @Test func dispatchTaskAndUnknownBlocksAreDescribed() throws {
        func block(_ symbol: String?) throws -> String {
            let word = symbol.map { heap.symbol($0, module: "libdispatch.so") } ?? 0
            let step = HeapAnswer.Step.made(
                .block, at: heap.address(), metadata: word, edge: .conservative, isPrecise: false)
            let line = try explain(
                .made(.reachable, [heap.root("_dispatch_main_q"), step, heap.end("Demo.Screen")]), in: heap
            ).lines()[1]
            return line.text + (line.isCertain ? "" : " (not certain)")
        }
        #expect(try block("_NSConcreteMallocBlock") == "block (not certain)")
        #expect(try block("__OS_dispatch_source_vtable") == "Dispatch source (not certain)")
        #expect(try block("__OS_dispatch_queue_serial_vtable") == "Dispatch queue (not certain)")
        #expect(try block("__OS_dispatch_workloop_vtable") == "Dispatch queue (not certain)")
        #expect(try block("__OS_dispatch_group_vtable") == "Dispatch group (not certain)")
        #expect(try block("__OS_dispatch_io_vtable") == "Dispatch I/O channel (not certain)")
        #expect(try block("__OS_dispatch_operation_vtable") == "Dispatch object (not certain)")
        let ofTask = HeapAnswer.Step.made(
            .block, at: heap.address(), metadata: heap.symbol("_ZN5swift25TaskAllocatorSlabMetadataE"),
            edge: .conservative, isPrecise: false)
        let explanation = try explain(
            .made(.reachable, [heap.root(Mangled.cache), ofTask, heap.end("Demo.Screen")]), in: heap)
        #expect(explanation.lines(full: true)[1].text == "48 bytes of a Task's memory")
        #expect(explanation.lines().map(\.text) == ["global cache", "Screen"])
        // If the contents of the memory are unknown, only its size is shown.
        for word in ["some_vtable", nil] {
            let step = HeapAnswer.Step.made(
                .block, at: heap.address(), metadata: word.map { heap.symbol($0) } ?? 0, edge: .conservative,
                isPrecise: false)
            let explanation = try explain(
                .made(.reachable, [heap.root(Mangled.cache), step, heap.end("Demo.Screen")]), in: heap)
            #expect(explanation.lines().map(\.text) == ["global cache", "48 bytes of memory", "Screen"])
            #expect(explanation.lines().map(\.isCertain) == [true, false, true])
            #expect(explanation.lines(full: true)[1].text == "48 bytes of memory")
            let slab = try explain(
                .made(
                    .reachable, [heap.root(Mangled.cache), step.with { $0.size = 1016 }, heap.end("Demo.Screen")]),
                in: heap)
            #expect(slab.lines(full: true)[1].text == "1016 bytes of memory, perhaps a Task's")
        }
    }

    @Test func untypedMemoryOfTheProgramIsShown() throws {
        let memory = HeapAnswer.Step.made(.block, at: heap.address(), edge: .conservative, isPrecise: false)
        let screen = heap.end("Demo.Screen")
        func lines(_ steps: [HeapAnswer.Step]) throws -> [String] {
            try explain(.made(.reachable, steps), in: heap).lines().map(\.text)
        }
        #expect(
            try lines([heap.root(Mangled.cache), memory, screen]) == ["global cache", "48 bytes of memory", "Screen"])
        let own = heap.object("Demo.Pool", "bytes", edge: .raw)
        #expect(
            try lines([heap.root(Mangled.hubShared), own, memory, screen]) == [
                "static Hub.shared", "Pool.bytes", "48 bytes of memory", "Screen",
            ])
        // Foundation's internal memory is not shown.
        let array = heap.object("Foundation.NSMutableArray", "_storage", edge: .raw)
        #expect(
            try lines([heap.root(Mangled.hubShared), array, memory, screen]) == [
                "static Hub.shared", "NSMutableArray._storage", "Screen",
            ])
        // If memory is followed by another block, only the first of them is shown.
        let more = HeapAnswer.Step.made(.block, at: heap.address(), edge: .conservative, isPrecise: false)
        #expect(
            try lines([heap.root(Mangled.cache), memory, more, screen]) == [
                "global cache", "48 bytes of memory", "Screen",
            ])
    }

    @Test func dictionaryKeyThatLooksLikeAddressIsOmitted() throws {
        func key(_ key: HeapAnswer.Step.Key) throws -> String? {
            let steps = [
                heap.root(Mangled.hubShared), heap.object("Demo.Hub", "byID"), heap.dictionary(key),
                heap.end("Demo.Screen"),
            ]
            return try explain(.made(.reachable, steps), in: heap).lines().dropFirst().first?.text
        }
        #expect(try key(.signed(0x5555_5577_A2C0)) == ".byID[…]")
        #expect(try key(.unsigned(0x7FFF_F7A4_1230)) == ".byID[…]")
        // These numbers are not addresses: odd and small numbers, times in milliseconds and nanoseconds, hashes.
        for number: Int64 in [0, -1, 42, 0x5555_5577_A2C1, 1_763_800_000_000, 1_763_800_000_000_000_000, .max, .min] {
            #expect(try key(.signed(number)) == ".byID[\(number)]")
        }
    }
}
