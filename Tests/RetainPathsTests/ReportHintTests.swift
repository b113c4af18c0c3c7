import LifetimeTracer
import Testing

@testable import RetainPaths

/// The hints: each pattern, and paths that only resemble it.
@Suite struct ReportHintTests: JudgesPaths {
    let heap = MadeUpHeap()

    @Test func notificationCenterObserverGetsHint() throws {
        let observers = heap.dictionary(.string("keyboardWillShow"), code: heap.symbol(Mangled.closure4))
        let (pattern, text, suspect) = try judge(center + [observers, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .notificationCenterCapture)
        #expect(
            text == "A notification centre keeps closure #4 in Screen.bind(_:to:), which captures Screen strongly. "
                + "Capture self weakly in the closure, [weak self], and remove the observer when Screen is deallocated."
        )
        #expect(suspect == "closure #4 (Notification) -> () in Screen.bind(_:to:) captures Screen strongly")
        for own in [
            "LifetimeTracerFoundation.TracedNotificationCenter", "LifetimeTracerFoundation.NotificationReceiver",
        ] {
            let steps = [
                heap.root(Mangled.cache), heap.array(0), heap.object(own, "body", edge: .function, code: code),
                heap.closure(),
                heap.end("Demo.Screen"),
            ]
            #expect(try judge(steps).pattern == .notificationCenterCapture)
        }
        // A type of the program with the same name is not Foundation's.
        let other = [
            heap.root(Mangled.hubShared), heap.object("Demo.NotificationCenter", "body", edge: .function, code: code),
            heap.closure(), heap.end("Demo.Screen"),
        ]
        #expect(try judge(other).pattern == .hubCapture)
    }

    @Test func closureInObserverHubGetsHubCaptureHint() throws {
        let hub = [
            heap.root(Mangled.cache), heap.array(0),
            heap.object("LifetimeTracer.ObserverHub<Swift.Int>", "registrations"),
            heap.object("LifetimeTracer.Locked<Swift.Int>", "state"), heap.array(1),
            heap.object("LifetimeTracer.ObserverHub<Swift.Int>.Registration", "state"),
            heap.object("LifetimeTracer.Locked<Swift.Int>", "state.body", edge: .function, code: code), heap.closure(),
            heap.end("Demo.Screen"),
        ]
        let explanation = try explain(.made(.reachable, hub), in: heap)
        #expect(
            explanation.lines().map(\.text) == [
                "global cache[0]", "ObserverHub<Int>.registrations[1]",
                "closure #1 (String) -> () in Screen.bind(_:to:) captures Screen strongly",
            ])
        #expect(explanation.hint?.pattern == .hubCapture)
        #expect(explanation.hint?.text.hasPrefix("ObserverHub<Int>.registrations keeps closure #1") == true)
    }

    @Test func hintForClosureOfAnotherTypeDoesNotNameSelf() throws {
        let steps = [
            heap.root(Mangled.hubShared),
            heap.object("Demo.Hub", "done", edge: .function, code: heap.symbol(Mangled.hubClosure)), heap.closure(),
            heap.object("Demo.Model", "screen"), heap.end("Demo.Screen"),
        ]
        let (pattern, text, suspect) = try judge(steps)
        #expect(pattern == .hubCapture)
        #expect(
            text
                == "Hub.done keeps closure #1 in Hub.onAny<A>(_:), which captures Model strongly, "
                + "which leads to Screen. Capture Model weakly in the closure, [weak …], "
                + "or remove the closure when Screen is deallocated.")
        #expect(suspect == "closure #1 (String) -> () in Hub.onAny<A>(_:) captures Model strongly")
    }

    @Test func runningTimerGetsHint() throws {
        let holders: [[Step]] = [
            [heap.object("Foundation.Timer", "_fire", edge: .function, code: code)],
            [heap.object("LifetimeTracerFoundation.FiringToken", "state.body", edge: .function, code: code)],
            [
                .made(
                    .block, at: heap.address(), metadata: heap.symbol("__OS_dispatch_source_vtable"),
                    edge: .conservative,
                    isPrecise: false),
                .made(.block, at: heap.address(), edge: .function, isPrecise: false, code: code),
            ],
        ]
        for holder in holders {
            let steps = [heap.root(Mangled.cache)] + holder + [heap.closure(), heap.end("Demo.Screen")]
            let (pattern, text, _) = try judge(steps)
            #expect(pattern == .runningTimer)
            #expect(
                text.hasSuffix(
                    "Capture self weakly in the closure, [weak self], and cancel the timer when Screen is deallocated.")
            )
        }
        let later = [
            heap.root("_dispatch_timers_heap"), .made(.block, at: heap.address(), edge: .conservative, code: code),
            heap.closure(), heap.end("Demo.Screen"),
        ]
        #expect(try judge(later).pattern == .runningTimer)
        // A timer that holds its target without a closure gets no hint, because a hint could be wrong.
        #expect(
            try judge([heap.root(Mangled.cache), heap.object("Foundation.Timer", "x"), heap.end("Demo.Screen")]).pattern
                == nil)
        // A dispatch queue is not a timer.
        let queue = Step.made(
            .block, at: heap.address(), metadata: heap.symbol("__OS_dispatch_queue_serial_vtable"), edge: .function,
            isPrecise: false, code: code)
        #expect(
            try judge([heap.root("_dispatch_main_q"), queue, heap.closure(), heap.end("Demo.Screen")]).pattern
                == .hubCapture)
    }

    @Test func urlRequestInFlightGetsHint() throws {
        for type in ["FoundationNetworking.URLSessionDataTask", "FoundationNetworking.URLSession._TaskRegistry"] {
            let steps = [
                heap.root(Mangled.cache), heap.object("FoundationNetworking.URLSession", "taskRegistry"),
                heap.object(type, "behaviours"), heap.dictionary(.signed(1), code: code), heap.closure(),
                heap.end("Demo.SearchReactor"),
            ]
            let (pattern, text, _) = try judge(steps)
            #expect(pattern == .requestInFlight)
            #expect(
                text
                    == "A request in flight keeps its completion handler, closure #1 in Screen.bind(_:to:), which "
                    + "captures SearchReactor strongly. Capture SearchReactor weakly in the closure, [weak …], "
                    + "and cancel the request when SearchReactor is deallocated.")
        }
    }

    @Test func taskThatHasNotEndedGetsHint() throws {
        let stream = heap.object("Swift.AsyncStream<Swift.Int>._Storage", "state")
        let task = Step.made(.task, at: heap.address())
        let (pattern, _, suspect) = try round([heap.object("Demo.Screen", "cont.storage"), stream, task])
        #expect(pattern == .runningTask)
        #expect(suspect == "Task")
        let named = try judge([
            heap.root(Mangled.cache), task, .made(.block, at: heap.address(), edge: .function, code: code),
            heap.closure(),
            heap.end("Demo.Screen"),
        ])
        #expect(named.pattern == .runningTask)
        #expect(named.text.hasPrefix("A Task that has not ended runs closure #1 in Screen.bind(_:to:), which captures"))
    }

    @Test func parentAndChildCycleGetsHint() throws {
        let byName = try round([heap.object("Demo.Parent", "child"), heap.object("Demo.Child", "owner")])
        #expect(byName.pattern == .parentAndChild)
        #expect(byName.text == "Parent and Child hold each other. Make Child.owner weak.")
        // The object that holds a collection of the other type is the parent.
        let byNumber = try round([heap.object("Demo.A", "b"), heap.object("Demo.B", "all"), heap.array(0)])
        #expect(byNumber.text == "A and B hold each other. Make A.b weak.")
        let fromTheOther = try round([heap.object("Demo.B", "all"), heap.array(0), heap.object("Demo.A", "b")])
        #expect(fromTheOther.text == "B and A hold each other. Make A.b weak.")
        let three = try round([
            heap.object("Demo.A", "b"), heap.object("Demo.B", "c"), heap.object("Demo.C", "delegate"),
        ])
        #expect(three.text == "A, B and C hold each other. Make C.delegate weak.")
        // An object that holds itself has no parent.
        let alone = try round([heap.object("Demo.A", "me")])
        #expect(alone.pattern == nil)
        #expect(alone.suspect == "A.me")
    }

    @Test func closureCapturingItsOwnerGetsHint() throws {
        let own = heap.object("Demo.Screen", "done", edge: .function, code: code)
        #expect(try round([own, heap.closure()]).pattern == .ownClosure)
        // Through a model of the screen, whose closure captures the screen.
        let model = try round([
            heap.object("Demo.Screen", "model"), heap.object("Demo.Model", "didChange", edge: .function, code: code),
            heap.closure(),
        ])
        #expect(model.pattern == .ownClosure)
        #expect(
            model.text
                == "Model.didChange keeps closure #1 in Screen.bind(_:to:), which captures Screen strongly, "
                + "so the object and the closure hold each other. Capture self weakly in the closure, [weak self].")
        // A closure behind a property named parent is still the suspect.
        let parent = try round([
            heap.object("Demo.Child", "parent"), heap.object("Demo.Screen", "x", edge: .function, code: code),
        ])
        #expect(parent.suspect?.hasPrefix("closure #1") == true)
        // A hub that the screen owns.
        let hub = try round([
            heap.object("Demo.Screen", "hub"), heap.object("LifetimeTracer.ObserverHub<Swift.Int>", "registrations"),
            heap.array(0, code: code), heap.closure(),
        ])
        #expect(hub.pattern == .hubCapture)
    }

    @Test func hintNamesHolderBehindOtherClosures() throws {
        let hub = heap.symbol(Mangled.hubClosure)
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "subs"), heap.array(1, code: hub),
            heap.closure(edge: .function, code: hub), heap.closure(edge: .function, code: code), heap.closure(),
            heap.end("Demo.Screen"),
        ]
        let (_, text, suspect) = try judge(steps)
        #expect(
            text.hasPrefix("Hub.subs, through other closures, keeps closure #1 in Screen.bind(_:to:), which captures"))
        #expect(suspect == "closure #1 (String) -> () in Screen.bind(_:to:) captures Screen strongly")
    }

    @Test func hintNamesTheObjectThatHoldsTheBlock() throws {
        let block = Step.made(
            .block, at: heap.address(), metadata: heap.symbol("_NSConcreteMallocBlock"), edge: .conservative,
            isPrecise: false, code: code)
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Dispatch.DispatchWorkItem", "_block"), block, heap.closure(),
            heap.end("Demo.Screen"),
        ]
        #expect(
            try judge(steps).text.hasPrefix("DispatchWorkItem keeps closure #1 in Screen.bind(_:to:), which"))
    }

    @Test func hintForMethodReferenceSuggestsClosure() throws {
        let method = heap.symbol("$s4Demo6ScreenC4bind_2toS2i_SStKFyycACcfu_yycfu0_TA")
        let own = heap.object("Demo.Screen", "done", edge: .function, code: method)
        #expect(
            try round([own]).text
                == "Screen.done keeps method reference in Screen.bind(_:to:), which captures Screen strongly, "
                + "so the object and the closure hold each other. Use a closure instead that captures self weakly, "
                + "[weak self].")
    }

    @Test func hintSuggestsNoWeakCaptureOfLibraryObject() throws {
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code), heap.closure(),
            heap.object("Swift.KeyPath<Demo.Screen, Swift.Int>"), heap.end("Demo.Screen"),
        ]
        #expect(
            try judge(steps).text.hasSuffix(
                "Capture Screen weakly in the closure, [weak …], or remove the closure when Screen is deallocated."))
    }

    @Test func hintCountsCycleObjectsOfOneType() throws {
        let node = try round([heap.object("Demo.Node", "next"), heap.object("Demo.Node", "previous")])
        #expect(node.text == "2 objects of type Node hold each other. Make Node.previous weak.")
    }

    @Test func numberOfHintPatternsIsUnchanged() {
        // The number of patterns that this suite tests. Add tests for a new pattern here.
        #expect(RetainHint.Pattern.allCases.count == 12)
    }

    @Test func hintNamesNoObjectBehindAnUncertainReference() throws {
        func hint(holder type: String, isCertain: Bool) throws -> (RetainHint.Pattern?, String) {
            let holder = heap.object(type, edge: isCertain ? .function : .conservative, code: isCertain ? code : 0)
                .with { $0.isPrecise = isCertain }
            let block = Step.made(
                .block, at: heap.address(), edge: .function, isPrecise: isCertain, code: code)
            let path = isCertain ? [holder] : [holder, block]
            let told = try judge([heap.root(Mangled.cache)] + path + [heap.closure(), heap.end("Demo.Screen")])
            return (told.pattern, told.text)
        }
        let request = try hint(holder: "FoundationNetworking.URLSession", isCertain: true)
        #expect(request.0 == .requestInFlight)
        let noRequest = try hint(holder: "FoundationNetworking.URLSession", isCertain: false)
        #expect(noRequest.0 == .hubCapture && noRequest.1.hasPrefix("An unknown holder keeps closure #1"))
        let hub = try hint(holder: "Demo.Hub", isCertain: true)
        #expect(hub.1.hasPrefix("Hub keeps closure #1"))
        let noHub = try hint(holder: "Demo.Hub", isCertain: false)
        #expect(noHub.1.hasPrefix("An unknown holder keeps closure #1"))
    }

    @Test func sessionDelegateHintSuggestsInvalidation() throws {
        let remedy =
            "A URLSession retains its delegate, Loader, until the session is invalidated. Invalidate the session with "
            + "finishTasksAndInvalidate() or invalidateAndCancel() when Loader is no longer needed."
        let session = heap.object("FoundationNetworking.URLSession", "delegate")
        let path = try judge([heap.root(Mangled.cache), session, heap.end("Demo.Loader")])
        #expect(path.pattern == .sessionDelegate && path.text == remedy && path.suspect == "global cache")
        let cycle = try round([heap.object("Demo.Loader", "session"), session])
        #expect(cycle.pattern == .sessionDelegate && cycle.text == remedy)
        // The objects that the delegate's closures hold are another leak.
        let behind = try judge([
            heap.root(Mangled.cache), session, heap.object("Demo.Loader", "done", edge: .function, code: code),
            heap.closure(), heap.end("Demo.Screen"),
        ])
        #expect(behind.pattern == .hubCapture)
        let guess = heap.object("FoundationNetworking.URLSession", "delegate", edge: .conservative)
            .with { $0.isPrecise = false }
        #expect(try judge([heap.root(Mangled.cache), guess, heap.end("Demo.Loader")]).pattern == nil)
    }

    @Test func runningClosureGetsHint() throws {
        let stack = Step.made(.rootStack(thread: 7), at: heap.address(), edge: .function, isPrecise: false, code: code)
        let (pattern, text, _) = try judge([stack, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .runningClosure)
        #expect(
            text == "A function that has not returned, on the stack of thread 7, runs or keeps closure #1 in "
                + "Screen.bind(_:to:), which captures Screen strongly. Capture self weakly in the closure, "
                + "[weak self], or let the function return when Screen is no longer needed.")
    }

    @Test func hintNamesCreatorOfLostContinuation() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let maker = heap.symbol("$s4Demo6ScreenC4bind_2toS2i_SStYaFTY1_")
        let library = heap.symbol(
            "$ss22withUnsafeContinuation9isolation_xScA_pSgYi_ySccyxs5NeverOGXEtYalFTY0_")
        let steps = [task, heap.closure(), heap.end("Demo.Screen")]
        let cycle = [
            heap.object("Demo.Screen", "work"), task.with { $0.address = task.address + 0x10 }, heap.closure(),
        ]
        heap.awaitedContinuations = [task.address: [library, maker], task.address + 0x10: [maker]]
        let (pattern, text, _) = try judge(steps)
        #expect(pattern == .lostContinuation)
        #expect(
            text == "A Task that runs closure #1 in Screen.bind(_:to:), which captures Screen strongly, waits for a "
                + "continuation that was never resumed, created in Screen.bind(_:to:). Resume each continuation "
                + "exactly once on every code path, also when its owner is deallocated.")
        #expect(try round(cycle).pattern == .lostContinuation)
        // With an unnamed function or a function of another library, the task waits for something else.
        heap.awaitedContinuations[task.address] = [heap.unnamed(), maker]
        #expect(try judge(steps).text.contains("seems to wait for an event that can no longer occur"))
    }

    @Test func taskWithoutHolderGetsLostContinuationHint() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let (pattern, text, _) = try judge([task, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .lostContinuation)
        #expect(
            text.hasPrefix("A Task that runs closure #1 in Screen.bind(_:to:), which captures Screen strongly, seems"))
    }

    @Test func streamTerminationHandlerGetsHint() throws {
        let stream = heap.object("Swift.AsyncStream<Swift.Int>._Storage", "handler", edge: .function, code: code)
        let steps = [heap.root(Mangled.cache), stream, heap.closure(), heap.end("Demo.Screen")]
        #expect(try judge(steps).pattern == .streamTermination)
    }
}
