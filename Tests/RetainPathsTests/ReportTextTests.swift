import LifetimeTracer
import Testing

@testable import RetainPaths

/// The exact texts of paths.
@Suite struct ReportTextTests {
    let heap = MadeUpHeap()

    private func path(_ steps: [HeapAnswer.Step], full: Bool = false) throws -> [String] {
        try explain(.made(.reachable, steps), in: heap).lines(full: full).map(\.text)
    }

    @Test func pathThroughClosureInHubIsDescribed() throws {
        let code = heap.symbol(Mangled.closure2 + "TA")
        let finding = HeapAnswer.Finding.made(
            .reachable,
            [
                heap.root(Mangled.hubShared), heap.object("Demo.Hub", "subs"),
                heap.array(2, "1", of: "(Swift.Int, (Swift.String) -> ())", code: code), heap.closure(),
                heap.end("Demo.Screen"),
            ], strong: 3, found: 3)
        let explanation = try explain(finding, in: heap)
        #expect(
            explanation.text() == """
                Screen #1 is held by static Hub.shared; 3 of 3 strong references explained.
                  static Hub.shared
                  ↳ .subs[2].1
                  ↳ closure #2 (String) -> () in Screen.bind(_:to:) captures Screen strongly  ← suspect
                  Hub.subs keeps closure #2 in Screen.bind(_:to:), which captures Screen strongly. Capture self weakly \
                in the closure, [weak self], or remove the closure when Screen is deallocated.

                """)
        #expect(
            explanation.text(full: true) == """
                Screen #1 is held by static Hub.shared; 3 of 3 strong references explained.
                  static Hub.shared
                  ↳ Hub.subs
                  ↳ Array<(Int, (String) -> ())>[2].1
                  ↳ closure #2 (String) -> () in Screen.bind(_:to:) captures Screen strongly  ← suspect
                  ↳ Screen
                  Hub.subs keeps closure #2 in Screen.bind(_:to:), which captures Screen strongly. Capture self weakly \
                in the closure, [weak self], or remove the closure when Screen is deallocated.

                """)
        #expect(explanation.type.qualified == "Demo.Screen")
        #expect(explanation.path.map(\.kind) == [.global, .object, .object, .closure, .object])
        #expect(explanation.path.map(\.through) == ["", ".subs", "[2].1", "captures Screen strongly", ""])
        #expect(explanation.path.map(\.isFolded) == [false, false, true, false, false])
        #expect(!explanation.path.map(\.isCertain).contains(false))
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
            heap.root(Mangled.cache), heap.closure().with { $0.name = "0.owner.screen" }, heap.end("Demo.Screen"),
        ]
        #expect(try path(boxed) == ["global cache.owner.screen", "Screen"])
        #expect(try path([boxed[0], boxed[1].with { $0.name = "1" }, boxed[2]]) == ["global cache", "Screen"])
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
        let set = heap.object("Swift._SetStorage<Demo.Screen>").with {
            $0.index = 5
            $0.isInKey = true
        }
        #expect(try path([heap.root(Mangled.cache), set, heap.end("Demo.Screen")]) == ["global cache[…]", "Screen"])
        let nested = [heap.root(Mangled.cache), heap.array(1), heap.dictionary(.signed(7), "items"), heap.array(0)]
        #expect(try path(nested + [heap.end("Demo.Screen")]) == ["global cache[1][7].items[0]", "Screen"])
    }

    @Test func propertiesOfInlinedValuesAreShown() throws {
        let existential = heap.object("Demo.Hub", "owner").with { $0.outerName = "state" }
        #expect(try path([heap.root(Mangled.hubShared), existential, heap.end("Demo.Screen")])[1] == ".state.owner")
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

    @Test func rootsOfAllKindsAreDescribed() throws {
        let end = heap.end("Demo.Screen")
        let cases: [(HeapAnswer.Step.Node, String, RetainStep.Kind)] = [
            (.rootThreadLocal, "a thread-local variable (not certain)", .threadLocal),
            (.rootAnonymous, "memory outside the heap (not certain)", .otherMemory),
            (.rootStack(thread: 0), "stack of thread 'wor\\u{1b}ker' (not certain)", .stack),
            (.rootStack(thread: 7), "stack of thread 7 (not certain)", .stack),
            (.rootTask, "the requesting Task (not certain)", .stack),
            (.rootWaitingTask, "a Task awaiting the requesting Task (not certain)", .stack),
        ]
        for (node, text, kind) in cases {
            let root = HeapAnswer.Step.made(node, at: heap.address(), isPrecise: false)
            let explanation = try explain(.made(.reachable, [root, end]), in: heap, threads: [0: "wor\u{1B}ker"])
            #expect(explanation.text().split(separator: "\n")[1].hasPrefix("  \(text)"))
            #expect(explanation.path[0].kind == kind)
        }
        let stripped = HeapAnswer.Step.made(.rootData, at: heap.unnamed(), isPrecise: false)
        #expect(try path([stripped, end])[0] == "global at Demo+0x13df0")
    }

    @Test func staticObjectIsShownAsItsVariable() throws {
        let end = heap.end("Demo.Screen")
        func object(_ symbol: String) -> HeapAnswer.Step {
            heap.object("Demo.Hub", "screen", at: heap.symbol(symbol)).with { $0.node = .staticObject }
        }
        #expect(try path([object("$s4Demo3HubC6shared_WZTv_"), end]) == ["static Hub.shared", ".screen", "Screen"])
        #expect(try path([object("$s4Demo6shared_WZTv_"), end]) == ["global shared", "Hub.screen", "Screen"])
        // A search may also report this symbol as a variable.
        #expect(try path([heap.root("$s4Demo3HubC6shared_WZTv_"), end]) == ["static Hub.shared", "Screen"])
        #expect(try path([object("$s4Demo1fSaySiGyFTv_"), end]) == ["a constant", "Hub.screen", "Screen"])
    }

    @Test func veryLongPathIsShownWithGap() throws {
        let list = (0..<3).map { _ in heap.object("Demo.Node", "next") }
        let end = heap.end("Demo.Screen")
        var finding = HeapAnswer.Finding.made(.reachable, [heap.root(Mangled.cache)] + list)
        finding.address = end.address
        finding.metadata = end.metadata
        let explanation = try explain(finding, in: heap)
        #expect(
            explanation.lines().map(\.text) == [
                "global cache", "Node.next (3 times)", "… (many steps)", "Screen",
            ])
        #expect(explanation.type.qualified == "Demo.Screen")
        #expect(explanation.path.last?.name == "Screen")
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
        #expect(try block("__OS_dispatch_group_vtable") == "Dispatch object (not certain)")
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

    @Test func parentAndChildCycleIsDescribed() throws {
        let child = heap.object("Demo.ChildCoordinator", "parent")
        let steps = [child, heap.object("Demo.Coordinator", "children"), heap.array(0)]
        for repeated in [false, true] {
            let explanation = try explain(
                .made(.cycle, steps + (repeated ? [child] : []), cycle: 0...(repeated ? 3 : 2)), in: heap)
            #expect(
                explanation.text() == """
                    ChildCoordinator #1 holds itself through a cycle that no root reaches; \
                    1 of 1 strong reference explained.
                      ChildCoordinator.parent  ← suspect
                      ↳ Coordinator.children[0]
                      ↳ ChildCoordinator ⟲
                      ChildCoordinator and Coordinator hold each other. Make ChildCoordinator.parent weak.

                    """)
            #expect(explanation.cycle == 0...2)
            #expect(explanation.path.count == 3)
        }
        // The same if the end of the cycle is repeated after it.
        #expect(try explain(.made(.cycle, steps + [child], cycle: 0...2), in: heap).path.count == 3)
    }

    @Test func cycleThroughOwnClosureIsDescribed() throws {
        let code = heap.symbol(Mangled.closure9 + "TA")
        let withContext = try explain(
            .made(
                .cycle, [heap.object("Demo.Screen", "done", edge: .function, code: code), heap.closure()],
                cycle: 0...1),
            in: heap)
        // Without a context the property leads back to the object itself.
        let without = try explain(
            .made(.cycle, [heap.object("Demo.Screen", "done", edge: .function, code: code)], cycle: 0...0), in: heap)
        for explanation in [withContext, without] {
            #expect(
                explanation.text() == """
                    Screen #1 holds itself through a cycle that no root reaches; 1 of 1 strong reference explained.
                      Screen.done
                      ↳ closure #9 () -> () in Screen.bind(_:to:) captures Screen strongly ⟲  ← suspect
                      Screen.done keeps closure #9 in Screen.bind(_:to:), which captures Screen strongly, so the \
                    object and the closure hold each other. Capture self weakly in the closure, [weak self].

                    """)
            #expect(explanation.cycle == 0...1)
        }
    }

    @Test func objectLeakedByCycleIsDescribed() throws {
        let parent = heap.object("Demo.Parent", "child")
        let again = heap.object("Demo.Parent", "screens", at: parent.address)
        let steps = [parent, heap.object("Demo.Child", "parent"), again, heap.array(1), heap.end("Demo.Screen")]
        for upper in [1, 2] {
            let explanation = try explain(.made(.leakedByCycle, steps, cycle: 0...upper), in: heap)
            #expect(
                explanation.text() == """
                    Screen #1 is held by a cycle that no root reaches; 1 of 1 strong reference explained.
                      Parent.child
                      ↳ Child.parent  ← suspect
                      ↳ Parent ⟲
                      ↳ Parent.screens[1]
                      ↳ Screen
                      Parent and Child hold each other. Make Child.parent weak.

                    """)
        }
    }

    @Test func holderHasTheSameNameAsInThePath() throws {
        let code = heap.symbol(Mangled.closure1)
        let closure = heap.closure()
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code), closure,
            heap.end("Demo.Screen"),
        ]
        let other = heap.closure()
        let named = try explain(
            .made(.reachable, steps, strong: 2, found: 2, holders: [closure, other]), in: heap)
        #expect(
            named.text().contains(
                "    · closure #1 (String) -> () in Screen.bind(_:to:)\n    · context of a closure or variable\n"))
        #expect(named.holders.map(\.step.kind) == [.closure, .box])
        // An object that serves as a closure's context keeps its own name.
        let model = heap.object("Demo.Model", "screen")
        let short = try explain(
            .made(
                .reachable, [steps[0], steps[1], model, heap.end("Demo.Screen")], strong: 2, found: 2,
                holders: [model, other]), in: heap)
        #expect(short.text().contains("    · Model.screen\n"))
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

    @Test func missingRootsAndHoldersAreDescribed() throws {
        let holder = heap.object("Demo.Registry", "screens").with { $0.isReached = false }
        let array = heap.array(1)
        let none = try explain(.made(.noRootFound, [], strong: 2, found: 0), in: heap)
        #expect(none.text().hasSuffix("or a running thread holds it; 0 of 2 strong references explained.\n"))
        let held = try explain(.made(.noRootFound, [], strong: 3, found: 2, holders: [holder, array]), in: heap)
        #expect(
            held.text().hasSuffix(
                "  Held directly by\n    · Registry.screens (not reachable from a root)\n    · Array<Int>[1]\n"))
        #expect(held.suspect == nil && held.hint == nil && held.fingerprint == nil && held.signature.isEmpty)
        let owner = heap.object("Demo.Owner", "screen").with { $0.isReached = false }
        let below = try explain(.made(.noRootFound, [owner, heap.end("Demo.Screen")], holders: [owner]), in: heap)
        #expect(
            below.text() == """
                Screen #1 is held by Owner, which has no known holder: Owner was over-retained, or a running thread \
                holds it; 1 of 1 strong reference explained.
                  Owner.screen
                  ↳ Screen

                """)
        #expect(below.suspect == nil && below.hint == nil && below.fingerprint != nil)
        let gone = try explain(.made(.deinitializing, []), in: heap)
        #expect(gone.text() == "instance #1 is gone.\n")
        #expect(gone.status == .gone)
        // All references are explained, so there are holders.
        let all = try explain(.made(.noRootFound, [], holders: [holder]), in: heap)
        #expect(
            all.text().hasPrefix(
                "instance #1 is held by Registry, to which no path from a root was found: a running thread may hold "
                    + "it; 1 of 1 strong reference explained."))
        #expect(held.text().hasPrefix("instance #1 has more strong references than known holders: "))
        let many = try explain(
            .made(.reachable, [heap.root(Mangled.cache), heap.end("Demo.Screen")], strong: 1, found: 2), in: heap)
        #expect(many.text().contains("2 possible references found for 1 strong reference."))
    }

    @Test func taskStepIsDescribed() throws {
        let task = HeapAnswer.Step.made(
            .task, at: heap.address(), metadata: heap.address(), edge: .conservative, isPrecise: false)
        let finding = HeapAnswer.Finding.made(
            .reachable, [.made(.rootAnonymous, at: heap.address(), isPrecise: false), task, heap.end("Demo.Screen")])
        #expect(
            try explain(finding, in: heap).text() == """
                Screen #1 is held by memory outside the heap; 1 of 1 strong reference explained.
                  memory outside the heap (not certain)
                  ↳ Task (not certain)
                  ↳ Screen

                """)
    }
}
