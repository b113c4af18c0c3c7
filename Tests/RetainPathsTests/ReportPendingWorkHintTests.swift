import LifetimeTracer
import Testing

@testable import RetainPaths

/// The hints about work that has not ended: timers, requests, tasks, functions that run.
@Suite struct ReportPendingWorkHintTests: JudgesPaths {
    let heap = MadeUpHeap()

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
            #expect(text.contains("[weak self], and \(ends.removeFirst()) the timer when Screen is no longer needed."))
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

    @Test func pendingWorkGetsAdviceAboutItsHolder() throws {
        let queue = try judge(work("__OS_dispatch_queue_serial_vtable"))
        #expect(queue.pattern == .hubCapture)
        #expect(queue.text.hasPrefix("A Dispatch queue keeps closure #1 in Screen.bind(_:to:), which captures"))
        #expect(queue.text.hasSuffix("Resume the queue if it is suspended or was never activated."))
        let group = try judge(work("__OS_dispatch_group_vtable"))
        #expect(group.text.hasPrefix("A Dispatch group keeps"))
        #expect(group.text.hasSuffix("The group runs the closure when each enter() has its leave()."))
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
                    == "A request in flight keeps its completion handler, closure #1 in Screen.bind(_:to:), which "
                    + "captures SearchReactor strongly. Capture SearchReactor weakly in the closure, [weak …], "
                    + "and cancel the request when SearchReactor is no longer needed.")
        }
    }

    @Test func taskThatHasNotEndedGetsHint() throws {
        let stream = heap.object("Swift.AsyncStream<Swift.Int>._Storage", "state")
        let thunk = heap.symbol(Mangled.thunk)
        let task = Step.made(.task, at: heap.address(), edge: .function, code: thunk)
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

    @Test func taskThatHasEndedGetsAdviceAboutItsReference() throws {
        let task = Step.made(.task, at: heap.address())
        let result = try judge([heap.root(Mangled.cache), task, heap.end("Demo.Screen")])
        #expect(result.pattern == .finishedTask && result.suspect == "Task")
        let parent = Step.made(.task, at: heap.address(), edge: .conservative, isPrecise: false)
        let child = try judge([heap.root("_dispatch_timers_heap"), parent, task, heap.end("Demo.Screen")])
        #expect(child.text.contains("or take the result out of its task group with next(), when Screen"))
        #expect(
            result.text == "global cache keeps a finished Task, whose result holds Screen. Give up the reference to "
                + "the Task when Screen is no longer needed.")
        let box = Step.made(.errorBox, at: heap.address(), name: "model")
        let error = try judge([
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "work"), task, box,
            heap.object("Demo.Model", "screen"), heap.end("Demo.Screen"),
        ])
        #expect(error.text.hasPrefix("Hub.work keeps a finished Task, whose error holds Model, which leads to Screen."))
        // The task does not run the closure of an object in its result.
        let model = heap.object("Demo.Model", "done", edge: .function, code: code)
        let behind = [heap.object("Demo.Screen", "work"), task, model, heap.closure()]
        #expect(try round(behind).pattern == .ownClosure)
        #expect(
            try judge([heap.root(Mangled.cache), task, model, heap.closure(), heap.end("Demo.Screen")]).text
                .hasPrefix("Model.done keeps closure #1"))
        let cycle = try round([heap.object("Demo.Screen", "work"), task])
        #expect(cycle.text.hasPrefix("Screen.work keeps a finished Task, whose result holds Screen. Give up"))
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
                + "self weakly in the closure, [weak self], and cancel the source when Screen is no longer needed.")
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

    @Test(arguments: [
        "$sScTss5NeverORszABRs_rlE5sleep11nanosecondsys6UInt64V_tYaKFZTY0_",
        "$ss15ContinuousClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKFTY1_",
    ])
    func aTaskThatSleepsHasNoLostContinuation(sleep: String) throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        heap.awaitedContinuations[task.address] = [heap.symbol(sleep)]
        let (pattern, text, _) = try judge([task, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .runningTask)
        #expect(text.hasSuffix("and cancel the Task when Screen is no longer needed."))
    }

    @Test func hintForTaskThatReadsItsOwnStreamAdvisesToFinishTheStream() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let next = heap.symbol("$sScS8_StorageC4nextxSgyYaFADyYaXEfU_TY0_")
        heap.awaitedContinuations[task.address] = [next]
        let (pattern, text, _) = try judge([task, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .lostContinuation)
        #expect(
            text == "A Task that runs closure #1 in Screen.bind(_:to:), which captures Screen strongly, waits for the "
                + "next element of a stream that nobody finishes. Capture self weakly in the closure, [weak self], and "
                + "finish the stream or cancel the Task when Screen is no longer needed.")
        // The stream's own object cannot be captured weakly.
        let stream = heap.object("Swift.AsyncStream<Swift.Int>._Context", "storage")
        #expect(
            try judge([task, heap.closure(), stream, heap.end("Demo.Screen")]).text
                == "A Task that runs closure #1 in Screen.bind(_:to:) waits for the next element of a stream that "
                + "nobody finishes. Finish the stream or cancel the Task when Screen is no longer needed.")
    }

    @Test func hintForTaskThatAwaitsAKeptContinuationAdvisesToResumeIt() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let maker = heap.symbol("$s4Demo6ScreenC4bind_2toS2i_SStYaFTY1_")
        let sleep = heap.symbol("$ss15ContinuousClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKFTY1_")
        let handler = heap.symbol(
            "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlFTY1_")
        let start = [heap.root(Mangled.hubShared), heap.object("Demo.Hub", "waiters"), heap.array(0)]
        let steps = start + [task, heap.closure(), heap.end("Demo.Screen")]
        heap.awaitedContinuations = [task.address: [maker]]
        let (pattern, text, _) = try judge(steps)
        #expect(pattern == .runningTask)
        #expect(
            text == "A Task that has not ended runs closure #1 in Screen.bind(_:to:), which captures Screen strongly, "
                + "and waits for a continuation, created in Screen.bind(_:to:). Resume the continuation when Screen is "
                + "no longer needed. Cancelling the Task alone does not end the wait.")
        // A child of the task may await it.
        let parent = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let child = task.with { ($0.edge, $0.isPrecise, $0.code) = (.conservative, false, 0) }
        #expect(try judge(start + [child, parent, heap.closure(), heap.end("Demo.Screen")]).text == text)
        // The cancellation ends a wait in a library, and one whose function handles it.
        for makers in [[sleep], [maker, handler]] {
            heap.awaitedContinuations[task.address] = makers
            #expect(try judge(steps).text.hasSuffix("and cancel the Task when Screen is no longer needed."))
        }
    }

    @Test func closureOfThreadGetsHint() throws {
        let variable = Step.made(.rootThreadLocal(thread: 4), at: heap.address(), isPrecise: false)
        let thread = heap.object("Foundation.Thread", "_main", edge: .function, code: code)
        let (pattern, text, _) = try judge([variable, thread, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .runningClosure)
        #expect(
            text == "A thread that has not ended runs closure #1 in Screen.bind(_:to:), which captures Screen "
                + "strongly. Capture self weakly in the closure, [weak self], or let the thread end when Screen is no "
                + "longer needed.")
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

    @Test func elementOfStreamIsNotItsTerminationHandler() throws {
        let storage = heap.object("Swift.AsyncStream<() -> ()>._Storage", "state")
        let closure = heap.object("Swift._DequeBuffer<() -> ()>", edge: .function, code: code)
        let root = heap.root(Mangled.cache)
        let (pattern, text, _) = try judge([root, storage, closure, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .growingContainer)
        #expect(
            text == "A stream keeps an element that nobody has read, closure #1 in Screen.bind(_:to:), which captures "
                + "Screen strongly. Capture self weakly in the closure, [weak self]. Read the elements, or give up the "
                + "stream and its continuation, when Screen is no longer needed.")
        let buffer = heap.object("Swift._DequeBuffer<Demo.Screen>")
        let element = try judge([root, storage, buffer, heap.end("Demo.Screen")])
        #expect(element.pattern == .growingContainer)
        #expect(
            element.text == "A stream keeps an element that nobody has read: Screen. Read the elements, or give up the "
                + "stream and its continuation, when Screen is no longer needed.")
    }

    @Test func terminationHandlerInCycleIsNoTasksClosure() throws {
        let stream = heap.object("Swift.AsyncStream<Swift.Int>._Storage", "state", edge: .function, code: code)
        let (pattern, text, _) = try round([heap.object("Demo.Screen", "source"), stream, heap.closure()])
        #expect(pattern == .streamTermination)
        #expect(
            text == "A stream that has not ended keeps its termination handler closure #1 in Screen.bind(_:to:), which "
                + "captures Screen strongly. Capture self weakly in the closure, [weak self], and finish the stream "
                + "when Screen is no longer needed.")
    }

    @Test func closureThatProducesElementsOfStreamIsNotItsTerminationHandler() throws {
        let own = heap.symbol("$sScS9unfolding8onCancelScSyxGxSgyYac_yyYbcSgtcfcAFyYacfU_TA")
        let context = heap.object("Swift.AsyncStream<Swift.Int>._Context", "produce", edge: .function, code: own)
        let lock = heap.object(
            "Swift._AsyncStreamCriticalStorage<Swift.Optional<() async -> Swift.Int>>", "_value", edge: .function,
            code: code)
        let end = [heap.closure(), heap.end("Demo.Screen")]
        let producer = try judge([heap.root(Mangled.cache), context, heap.closure(), lock] + end)
        #expect(producer.pattern == .streamProducer)
        #expect(producer.text.hasPrefix("A stream keeps the closure that produces its elements, closure #1 in Screen."))
        let cancelled = [heap.root(Mangled.cache), context, heap.closure(edge: .function, code: code)] + end
        #expect(try judge(cancelled).text.hasPrefix("A stream keeps its cancellation handler, closure #1 in Screen."))
    }
}
