import LifetimeTracer
import Testing

@testable import RetainPaths

/// The texts of whole paths, of their roots and of cycles.
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
                  Hub.subs keeps closure #2 in Screen.bind(_:to:), which captures Screen strongly. Capture Screen \
                weakly in the closure ([weak self] if it is self), or remove the closure when Screen is no longer \
                needed.

                """)
        #expect(
            explanation.text(full: true) == """
                Screen #1 is held by static Hub.shared; 3 of 3 strong references explained.
                  static Hub.shared
                  ↳ Hub.subs
                  ↳ Array<(Int, (String) -> ())>[2].1
                  ↳ closure #2 (String) -> () in Screen.bind(_:to:) captures Screen strongly  ← suspect
                  ↳ Screen
                  Hub.subs keeps closure #2 in Screen.bind(_:to:), which captures Screen strongly. Capture Screen \
                weakly in the closure ([weak self] if it is self), or remove the closure when Screen is no longer \
                needed.

                """)
        #expect(explanation.type.qualified == "Demo.Screen")
        #expect(explanation.path.map(\.kind) == [.global, .object, .object, .closure, .object])
        #expect(explanation.path.map(\.through) == ["", ".subs", "[2].1", "captures Screen strongly", ""])
        #expect(explanation.path.map(\.isFolded) == [false, false, true, false, false])
        #expect(!explanation.path.map(\.isCertain).contains(false))
    }

    @Test func rootsOfAllKindsAreDescribed() throws {
        let end = heap.end("Demo.Screen")
        let cases: [(HeapAnswer.Step.Node, String, RetainStep.Kind)] = [
            (.rootThreadLocal(thread: 0), "a variable of a thread (not certain)", .threadLocal),
            (.rootThreadLocal(thread: 5), "a variable of thread 5 ('wor\\u{1b}ker') (not certain)", .threadLocal),
            (.rootAnonymous, "memory outside the heap (not certain)", .otherMemory),
            (.rootStack(thread: 0), "stack of a thread (not certain)", .stack),
            (.rootStack(thread: 5), "stack of thread 5 ('wor\\u{1b}ker') (not certain)", .stack),
            (.rootStack(thread: 7), "stack of thread 7 (not certain)", .stack),
            (.rootTask, "the requesting Task (not certain)", .stack),
            (.rootWaitingTask, "a Task awaiting the requesting Task (not certain)", .stack),
        ]
        for (node, text, kind) in cases {
            let root = HeapAnswer.Step.made(node, at: heap.address(), isPrecise: false)
            let explanation = try explain(.made(.reachable, [root, end]), in: heap, threads: [5: "wor\u{1B}ker"])
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
        // If the object's class is not known, the search reports this symbol as a variable.
        #expect(try path([heap.root("$s4Demo3HubC6shared_WZTv_"), end]) == ["static Hub.shared.…", "Screen"])
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
                    object and the closure hold each other. Capture Screen weakly in the closure ([weak self] if it is \
                    self).

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

    @Test func uncertainCycleMayHold() throws {
        let parent = heap.object("Demo.Parent", "child")
        let again = heap.object("Demo.Parent", "screen", at: parent.address)
        let child = heap.object("Demo.Child", "parent", edge: .conservative).with { $0.isPrecise = false }
        let steps = [parent, child, again, heap.end("Demo.Screen")]
        let text = try explain(.made(.leakedByCycle, steps, cycle: 0...1), in: heap).text()
        #expect(text.hasPrefix("Screen #1 may be held by a cycle that no root reaches; "))
    }

    @Test func memberOfUncertainCycleMayHoldItself() throws {
        let steps = [heap.object("Demo.Screen", "child", edge: .conservative).with { $0.isPrecise = false }]
        let text = try explain(.made(.cycle, steps, cycle: 0...0), in: heap).text()
        #expect(text.hasPrefix("Screen #1 may hold itself through a cycle that no root reaches; "))
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

    @Test func storageOfCollectionIsNamedByItsOwner() throws {
        let screen = heap.end("Demo.Screen")
        func holder(_ storage: HeapAnswer.Step, ownedBy owners: HeapAnswer.Step...) throws -> String {
            let storage = storage.with { $0.owners = owners }
            let steps = [heap.root("$s4Demo3HubC6sharedACvpZ"), screen]
            let told = try explain(.made(.reachable, steps, strong: 1, holders: [storage]), in: heap)
            let step = try #require(told.holders.first?.step)
            return step.name + step.through
        }
        let owner = heap.object("Demo.Registry", "screens")
        #expect(try holder(heap.array(1), ownedBy: owner) == "Registry.screens[1]")
        #expect(
            try holder(heap.array(2), ownedBy: owner, heap.dictionary(.string("a"))) == "Registry.screens[\"a\"][2]")
        // Not told: an owner that is not certain, none, and one that is storage itself.
        let guess = owner.with { $0.isPrecise = false }
        #expect(try holder(heap.array(1), ownedBy: guess) == "Array<Int>[1]")
        #expect(try holder(heap.array(1)) == "Array<Int>[1]")
        #expect(try holder(heap.array(1), ownedBy: heap.array(3)) == "Array<Int>[1]")
    }

    @Test func missingRootsAndHoldersAreDescribed() throws {
        let holder = heap.object("Demo.Registry", "screens").with { $0.isReached = false }
        let array = heap.array(1)
        let none = try explain(.made(.noRootFound, [], strong: 2, found: 0), in: heap)
        #expect(none.text().hasSuffix("or a thread holds it in a register; 0 of 2 strong references explained.\n"))
        let held = try explain(.made(.noRootFound, [], strong: 3, found: 2, holders: [holder, array]), in: heap)
        #expect(
            held.text().hasSuffix(
                "  Held directly by\n    · Registry.screens (not reachable from a root)\n    · Array<Int>[1]\n"))
        #expect(held.suspect == nil && held.hint == nil && held.fingerprint == nil && held.signature.isEmpty)
        let most = Array(repeating: holder, count: RetainExplanation.mostHolders)
        let all16 = try explain(.made(.noRootFound, [], strong: 16, found: 16, holders: most), in: heap)
        #expect(!all16.text().contains("others"))
        let more = try explain(.made(.noRootFound, [], strong: 50, found: 50, holders: most), in: heap)
        #expect(more.text().hasSuffix("    · and others\n"))
        let owner = heap.object("Demo.Owner", "screen").with { $0.isReached = false }
        let below = try explain(.made(.noRootFound, [owner, heap.end("Demo.Screen")], holders: [owner]), in: heap)
        #expect(
            below.text() == """
                Screen #1 is held by Owner, which has no known holder: Owner was over-retained, or a thread holds \
                it in a register; 1 of 1 strong reference explained.
                  Owner.screen
                  ↳ Screen

                """)
        #expect(below.suspect == nil && below.hint == nil && below.fingerprint != nil)
        let gone = try explain(.made(.deinitializing, []), in: heap)
        #expect(gone.text() == "instance #1 is gone.\n")
        #expect(gone.status == .gone)
        let dead = try explain(.made(.notFound, []), in: heap)
        #expect(dead.status == .gone)
        let type = TypeName(module: "Demo", name: "Screen")
        let dying = try explain(.made(.deinitializing, []), in: heap, typeOfLive: type)
        #expect(dying.status == .gone)
        // All references are explained, so there are holders.
        let all = try explain(.made(.noRootFound, [], holders: [holder]), in: heap)
        #expect(
            all.text().hasPrefix(
                "instance #1 is held by Registry, to which no path from a root was found: a thread may hold it in a "
                    + "register; 1 of 1 strong reference explained."))
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
                Screen #1 may be held by memory outside the heap; 1 of 1 strong reference explained.
                  memory outside the heap (not certain)
                  ↳ Task (not certain)
                  ↳ Screen

                """)
    }
}
