import LifetimeTracer
import Testing

@testable import RetainPaths

/// The hints about closures and cycles: each pattern, and paths that only resemble it.
@Suite struct ReportHintTests: JudgesPaths {
    let heap = MadeUpHeap()

    @Test func notificationCenterObserverGetsHint() throws {
        let observers = heap.dictionary(.string("keyboardWillShow"), code: heap.symbol(Mangled.closure4))
        let (pattern, text, suspect) = try judge(center + [observers, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .notificationCenterCapture)
        #expect(
            text == "A notification centre keeps closure #4 in Screen.bind(_:to:), which captures Screen strongly. "
                + "Capture Screen weakly in the closure ([weak self] if it is self), and remove the observer when "
                + "Screen is no longer needed."
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
            heap.object("LifetimeTracer.ObserverHub<Swift.Int>.Entry", "state"),
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
                + "or remove the closure when Screen is no longer needed.")
        #expect(suspect == "closure #1 (String) -> () in Hub.onAny<A>(_:) captures Model strongly")
    }

    @Test func cycleThroughLibraryObjectsNamesTheReferenceBack() throws {
        let subscription = try round([
            heap.object("Demo.Model", "input"), heap.object("OpenCombine.CurrentValueSubject", "downstream"),
            heap.object("OpenCombine.Assign", "object"),
        ])
        #expect(subscription.pattern == .parentAndChild)
        #expect(
            subscription.text == "Model, CurrentValueSubject and Assign hold each other. Assign.object, of a library, "
                + "refers to Model. Cancel, close or remove Assign when Model is no longer needed, or give the library "
                + "a closure that captures Model weakly.")
        let context = try round([
            heap.object("Demo.Handler", "context"), heap.object("NIOCore.ChannelHandlerContext", "handler"),
        ])
        #expect(context.text == "Handler and ChannelHandlerContext hold each other. Make Handler.context weak.")
    }

    /// A weak reference to the collection would free the collection at once.
    @Test func objectInItsOwnCollectionOfFoundationIsToBeRemoved() throws {
        let cell = try round([
            heap.object("Demo.Cell", "items"), heap.object("Foundation.NSMutableArray", "_storage"),
        ])
        #expect(cell.pattern == .parentAndChild)
        #expect(
            cell.text == "Cell and NSMutableArray hold each other. Remove Cell from Cell.items when Cell is no longer "
                + "needed.")
    }

    @Test func objectInItsOwnCacheIsToBeRemoved() throws {
        let group = try round([
            heap.object("Demo.Group", "cache"),
            heap.object("Foundation.NSCache<Foundation.NSString, Demo.Group>", "_head"),
            heap.object("Foundation.NSCacheEntry<Foundation.NSString, Demo.Group>", "value"),
        ])
        #expect(group.suspect == "Group.cache")
        #expect(group.text.hasSuffix(" Remove Group from Group.cache when Group is no longer needed."), "\(group)")
    }

    @Test func objectInItsOwnErrorGetsNoAdviceToWeakenTheError() throws {
        let failed = try round([heap.object("Demo.Job", "failure"), heap.object("Foundation.NSError", "_userInfo")])
        #expect(
            failed.text == "Job and NSError hold each other. Give up Job.failure when Job is no longer needed, or let "
                + "NSError not refer to Job.")
        let parent = try round([heap.object("Demo.Item", "owner"), heap.object("Foundation.Operation", "item")])
        #expect(parent.text.hasSuffix(" Make Item.owner weak."), "\(parent)")
    }

    @Test func propertyThatCannotBeWeakGetsAdviceForItsType() throws {
        let host = heap.object("Demo.Host", "plugs")
        let existential = heap.object("Demo.Plug", "host").with { $0.isInExistential = true }
        #expect(
            try round([existential, host]).text == "Plug and Host hold each other. Give Plug.host a type of objects, "
                + "such as a protocol that inherits from AnyObject, and make it weak.")
        let attached = Step.Name(text: "attached", isCase: true)
        let others = [
            ("attached", [attached]), ("attached.owner", [attached, Step.Name(text: "owner")]),
            ("1", [Step.Name(text: "1")]),
        ]
        for (text, names) in others {
            let plug = heap.object("Demo.Plug", "host").with { $0.names += names }
            let hint = try round([plug, host]).text
            #expect(hint == "Plug and Host hold each other. Keep a weak reference in Plug.host.\(text).")
        }
    }

    @Test func hintsNameNoPrivateTypeOfLibrary() throws {
        let closure = try judge([
            heap.root(Mangled.cache), heap.object("DequeModule._DequeBuffer<() -> ()>", edge: .function, code: code),
            heap.closure(), heap.end("Demo.Screen"),
        ])
        #expect(closure.text.hasPrefix("global cache keeps closure #1 in Screen.bind(_:to:)"))
        let node = try judge([
            heap.root(Mangled.cache), heap.array(1),
            heap.object("HashTreeCollections._HashNode<Swift.String, Demo.Screen>.Storage"), heap.end("Demo.Screen"),
        ])
        #expect(node.text.hasPrefix("global cache keeps Screen until the program removes it. Remove Screen when"))
    }

    @Test func parentAndChildCycleGetsHint() throws {
        let byName = try round([heap.object("Demo.Parent", "child"), heap.object("Demo.Child", "owner")])
        #expect(byName.pattern == .parentAndChild)
        #expect(byName.text == "Parent and Child hold each other. Make Child.owner weak.")
        // The object that holds a collection of the other type is the parent.
        let byNumber = try round([heap.object("Demo.A", "b"), heap.object("Demo.B", "all"), heap.array(0)])
        #expect(byNumber.text == "A and B hold each other. Make A.b weak, or, if A owns B, remove A from B.all.")
        let fromTheOther = try round([heap.object("Demo.B", "all"), heap.array(0), heap.object("Demo.A", "b")])
        #expect(fromTheOther.text == "B and A hold each other. Make A.b weak, or, if A owns B, remove A from B.all.")
        // A dictionary of options says nothing about who owns whom.
        let values = heap.array(0).with { $0.isInExistential = true }
        let options = try round([heap.object("Demo.A", "b"), heap.object("Demo.B", "options"), values])
        #expect(options.suspect == nil)
        #expect(
            options.text.hasPrefix("A and B hold each other. Keep only weak references in one of A.b and B.options"))
        let three = try round([
            heap.object("Demo.A", "b"), heap.object("Demo.B", "c"), heap.object("Demo.C", "delegate"),
        ])
        #expect(three.text == "A, B and C hold each other. Make C.delegate weak.")
        // An object may hold itself.
        let alone = try round([heap.object("Demo.A", "me")])
        #expect(
            alone.text
                == "A holds itself through A.me. Make A.me weak, or give up the reference when A is no longer needed."
        )
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
                + "so the object and the closure hold each other. Capture Screen weakly in the closure ([weak self] "
                + "if it is self).")
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
            try judge(steps).text.hasPrefix("A work item keeps closure #1 in Screen.bind(_:to:), which"))
    }

    @Test func hintForMethodReferenceSuggestsClosure() throws {
        let method = heap.symbol("$s4Demo6ScreenC4bind_2toS2i_SStKFyycACcfu_yycfu0_TA")
        let own = heap.object("Demo.Screen", "done", edge: .function, code: method)
        #expect(
            try round([own]).text
                == "Screen.done keeps method reference in Screen.bind(_:to:), which captures Screen strongly, "
                + "so the object and the closure hold each other. Use a closure instead that captures Screen "
                + "weakly ([weak self] if it is self).")
    }

    @Test func hintSuggestsNoWeakCaptureOfLibraryObject() throws {
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "done", edge: .function, code: code), heap.closure(),
            heap.object("Swift.KeyPath<Demo.Screen, Swift.Int>"), heap.end("Demo.Screen"),
        ]
        #expect(
            try judge(steps).text.hasSuffix(
                "Capture Screen weakly in the closure, [weak …], or remove the closure when Screen is no longer "
                    + "needed."))
    }

    @Test func hintCountsCycleObjectsOfOneType() throws {
        let node = try round([heap.object("Demo.Node", "next"), heap.object("Demo.Node", "previous")])
        #expect(node.text == "2 objects of type Node hold each other. Make Node.previous weak.")
    }

    @Test func numberOfHintPatternsIsUnchanged() {
        // The number of patterns that this suite tests. Add tests for a new pattern here.
        #expect(RetainHint.Pattern.allCases.count == 15)
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
        #expect(noRequest.0 == .hubCapture && noRequest.1.hasPrefix("global cache seems to keep closure #1"))
        let hub = try hint(holder: "Demo.Hub", isCertain: true)
        #expect(hub.1.hasPrefix("Hub keeps closure #1"))
        let noHub = try hint(holder: "Demo.Hub", isCertain: false)
        #expect(noHub.1.hasPrefix("global cache seems to keep closure #1"))
    }

    /// A word of a library's memory may be stale, unless the variable is known to hold pending work.
    @Test func hintNamesNoVariableWithAnUncertainReference() throws {
        func hint(_ variable: UInt, isCertain: Bool) throws -> String {
            let root = Step.made(
                .rootData, at: variable, edge: isCertain ? .function : .conservative, isPrecise: isCertain,
                code: isCertain ? code : 0)
            let block = Step.made(.block, at: heap.address(), edge: .function, isPrecise: false, code: code)
            let path = isCertain ? [root] : [root, block]
            return try judge(path + [heap.closure(), heap.end("Demo.Screen")]).text
        }
        let unnamed = heap.unnamed(in: "libcrypto.so.3")
        #expect(try hint(unnamed, isCertain: false).hasPrefix("An unknown holder keeps "))
        #expect(try hint(unnamed, isCertain: true).hasPrefix("global at libcrypto.so.3+0x13df0 keeps "))
        let queue = heap.symbol("_dispatch_main_q", module: "libdispatch.so")
        #expect(try hint(queue, isCertain: false).hasPrefix("the main queue keeps "))
    }
}
