import LifetimeTracer
import Testing

@testable import RetainPaths

/// The hints about work that has not ended: timers, requests, tasks, functions that run.
@Suite struct ReportPendingWorkHintTests: JudgesPaths {
    let heap = MadeUpHeap()

    @Test func deallocatorOfADataIsNoSuspect() throws {
        let start = [heap.root(Mangled.hubShared), heap.object("Demo.Hub", "bytes._representation.storage")]
        let storage = heap.object("FoundationEssentials.__DataStorage", "_deallocator", edge: .function, code: code)
        let hint = try judge(start + [storage, heap.closure(), heap.end("Demo.Screen")])
        #expect(hint.suspect == ".bytes._representation.storage")
        #expect(hint.pattern == .hubCapture)
        #expect(
            hint.text == "Hub.bytes._representation.storage keeps a Data with a deallocator, closure #1 in "
                + "Screen.bind(_:to:), which captures Screen strongly. Give up the Data when Screen is no longer "
                + "needed.")
        // Another closure in the same object is like any other.
        let other = heap.object("FoundationEssentials.__DataStorage", "_other", edge: .function, code: code)
        #expect(
            try judge(start + [other, heap.closure(), heap.end("Demo.Screen")]).suspect?.hasPrefix("closure") == true)
    }

    @Test func closureOfAnEventSourceGetsAdviceAboutTheSource() throws {
        let hint = try judge([
            heap.root("_dispatch_sources"), heap.closure().with { $0.ownCode = code }, heap.end("Demo.Screen"),
        ])
        #expect(hint.pattern == .eventSource)
        #expect(hint.text.hasSuffix("and cancel the source when Screen is no longer needed."))
    }

    @Test func runningTimerGetsHint() throws {
        var ends = ["invalidate", "cancel", "cancel"]
        let holders: [[Step]] = [
            [heap.object("Foundation.Timer", "_fire", edge: .function, code: code)],
            [heap.object("LifetimeTracerFoundation.FiringToken", "state.body", edge: .function, code: code)],
            [
                .made(
                    .block, at: heap.address(), metadata: heap.symbol("__OS_dispatch_source_vtable"),
                    edge: .conservative,
                    isPrecise: false),
                .made(
                    .block, at: heap.address(), metadata: heap.symbol("_dispatch_source_type_timer"),
                    edge: .conservative, isPrecise: false),
                .made(.block, at: heap.address(), edge: .function, isPrecise: false, code: code),
            ],
        ]
        for holder in holders {
            let steps = [heap.root(Mangled.cache)] + holder + [heap.closure(), heap.end("Demo.Screen")]
            let (pattern, text, _) = try judge(steps)
            #expect(pattern == .runningTimer)
            #expect(text.contains("and \(ends.removeFirst()) the timer when Screen is no longer needed."))
            // Foundation's timers have no cancel handler.
            #expect(text.contains(", unless it is the cancel handler,") == text.contains("Dispatch"))
            // The last holder is a source that may not run.
            let mayNotRun = text.hasSuffix("Resume the timer before if it is suspended or was never activated.")
            #expect(mayNotRun == ends.isEmpty)
        }
        let later = [
            heap.root("_dispatch_timers_heap"), .made(.block, at: heap.address(), edge: .conservative, code: code),
            heap.closure(), heap.end("Demo.Screen"),
        ]
        #expect(try judge(later).pattern == .runningTimer)
        #expect(try judge(later).text.hasSuffix("and cancel the timer when Screen is no longer needed."))
        var delayed = later
        delayed.insert(
            .made(
                .block, at: heap.address(), metadata: heap.symbol("_dispatch_source_type_after"), edge: .conservative),
            at: 1)
        #expect(
            try judge(delayed).text.hasSuffix(
                "Dispatch keeps the closure until the delay has passed, even if its work item is cancelled."))
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

    /// A closure in a block that an object of Dispatch keeps.
    private func work(_ objects: String...) -> [Step] {
        let holders = objects.map { symbol in
            Step.made(
                .block, at: heap.address(), metadata: heap.symbol(symbol), edge: .conservative, isPrecise: false)
        }
        let block = Step.made(
            .block, at: heap.address(), metadata: heap.symbol("_NSConcreteMallocBlock"), edge: .function,
            isPrecise: false, code: code)
        return [heap.root(Mangled.cache)] + holders + [block, heap.closure(), heap.end("Demo.Screen")]
    }

    @Test func completionBlockGetsAdviceOfItsOwn() throws {
        let text = try judge([
            heap.root(Mangled.cache),
            heap.object("Foundation.BlockOperation", "__completion", edge: .function, code: code), heap.closure(),
            heap.end("Demo.Screen"),
        ]).text
        #expect(text.hasPrefix("An operation keeps its completion block, closure #1 in Screen.bind(_:to:), which "))
        #expect(text.hasSuffix("and set the block to nil when Screen is no longer needed."))
        // The property has another name in source code than Foundation's storage.
        let operation = heap.object("Demo.Import", "__completion", edge: .function, code: code)
        let own = try judge([operation, heap.closure()], .cycle, cycle: 0...1).text
        #expect(own.hasPrefix("Import.completionBlock keeps closure #1 in Screen.bind(_:to:), which "), "\(own)")
    }

    @Test func pendingWorkGetsAdviceAboutItsHolder() throws {
        let queue = try judge(work("__OS_dispatch_queue_serial_vtable"))
        #expect(queue.pattern == .hubCapture)
        #expect(queue.text.hasPrefix("A Dispatch queue keeps closure #1 in Screen.bind(_:to:), which captures"))
        #expect(queue.text.hasSuffix("Resume the queue if it is suspended, or activate it if it was created inactive."))
        let group = try judge(work("__OS_dispatch_group_vtable"))
        #expect(group.text.hasPrefix("A Dispatch group keeps"))
        #expect(group.text.hasSuffix("The group runs the closure when each enter() has its leave()."))
        var ofItem = work("__OS_dispatch_group_vtable")
        ofItem.insert(heap.object("Dispatch.DispatchWorkItem", "_block"), at: 1)
        let notification = try judge(ofItem).text
        #expect(notification.hasPrefix("A Dispatch group of a work item keeps"))
        #expect(notification.hasSuffix("The closure runs when the work item has run. Run the item, or give it up."))
        let channel = try judge(work("__OS_dispatch_io_vtable", "__OS_dispatch_queue_vtable"))
        #expect(channel.text.hasPrefix("A Dispatch I/O channel keeps"))
        #expect(channel.text.hasSuffix("The channel runs its cleanup handler when it is closed."))
        for (type, start) in [("BlockOperation", "An operation keeps"), ("Operation", "An operation keeps")] {
            let operation = heap.object("Foundation.\(type)", "_block", edge: .function, code: code)
            let steps = [heap.root(Mangled.cache), operation, heap.closure(), heap.end("Demo.Screen")]
            let text = try judge(steps).text
            #expect(text.hasPrefix(start) && text.contains("cancel the operation when Screen is no longer needed"))
        }
        let item = heap.object("Dispatch.DispatchWorkItem", "_block", edge: .function, code: code)
        let text = try judge([heap.root(Mangled.cache), item, heap.closure(), heap.end("Demo.Screen")]).text
        #expect(text.hasPrefix("A work item keeps") && text.contains("give up the work item"))
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
                    == "A request that has not ended keeps its completion handler, closure #1 in Screen.bind(_:to:), "
                    + "which captures SearchReactor strongly. Capture SearchReactor weakly in the closure, [weak …], "
                    + "and cancel the request when SearchReactor is no longer needed.")
        }
    }

    @Test func sourceThatIsNoTimerIsNotCalledOne() throws {
        let source = heap.object("Dispatch.DispatchSource", "__wrapped")
        let raw = Step.made(
            .block, at: heap.address(), metadata: heap.symbol("__OS_dispatch_source_vtable"), edge: .conservative,
            isPrecise: false)
        let block = Step.made(.block, at: heap.address(), edge: .function, isPrecise: false, code: code)
        let (pattern, text, _) = try judge([
            heap.root(Mangled.cache), source, raw, block, heap.closure(), heap.end("Demo.Screen"),
        ])
        #expect(pattern == .eventSource)
        #expect(
            text == "A Dispatch source keeps closure #1 in Screen.bind(_:to:), which captures Screen strongly. Capture "
                + "Screen weakly in the closure ([weak self] if it is self), unless it is the cancel handler, and "
                + "cancel the source when Screen is no longer needed.")
    }

    @Test func handlerOfASourceInACycleIsCertain() throws {
        func memory(_ size: Int, at offset: Int) -> Step {
            .made(.block, at: heap.address(), edge: .conservative, isPrecise: false).with {
                $0.size = size
                $0.offset = offset
            }
        }
        let source = Step.made(
            .block, at: heap.address(), metadata: heap.symbol("__OS_dispatch_source_vtable"), edge: .conservative,
            isPrecise: false)
        let block = Step.made(
            .block, at: heap.address(), metadata: heap.symbol("_NSConcreteMallocBlock"), edge: .function, code: code)
        func judged(contextAt offset: Int) throws -> RetainHint.Pattern? {
            try round([
                heap.object("Demo.Screen", "source"), heap.object("Dispatch.DispatchSource", "__wrapped"), source,
                memory(168, at: 96), memory(72, at: offset), block, heap.closure(),
            ]).pattern
        }
        #expect(try judged(contextAt: 40) == .eventSource)
        let group = Step.made(
            .block, at: heap.address(), metadata: heap.symbol("__OS_dispatch_group_vtable"), edge: .conservative,
            isPrecise: false)
        let waiting = try round([
            heap.object("Demo.Screen", "group"), heap.object("Dispatch.DispatchGroup", "__wrapped"), group,
            memory(72, at: 40), block, heap.closure(),
        ])
        #expect(waiting.pattern == .hubCapture)
        #expect(waiting.text.hasSuffix(". The group runs the closure when each enter() has its leave()."))
        #expect(try judged(contextAt: 48) == nil)
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
                + "Screen.bind(_:to:), which captures Screen strongly. Capture Screen weakly in the closure "
                + "([weak self] if it is self), or let the function return when Screen is no longer needed.")
    }

    @Test func closureOfThreadGetsHint() throws {
        let variable = Step.made(.rootThreadLocal(thread: 4), at: heap.address(), isPrecise: false)
        let thread = heap.object("Foundation.Thread", "_main", edge: .function, code: code)
        let (pattern, text, _) = try judge([variable, thread, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .runningClosure)
        #expect(
            text == "A thread that has not ended runs closure #1 in Screen.bind(_:to:), which captures Screen "
                + "strongly. Capture Screen weakly in the closure ([weak self] if it is self), or let the thread end "
                + "when Screen is no longer needed.")
    }
}
