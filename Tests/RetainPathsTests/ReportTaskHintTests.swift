import LifetimeTracer
import Testing

@testable import RetainPaths

/// The hints about tasks.
@Suite struct ReportTaskHintTests: JudgesPaths {
    let heap = MadeUpHeap()

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

    /// The word may be a variable of a function that the task runs, or stale.
    @Test func taskWhoseFramesReferToAClosureIsNotSaidToRunIt() throws {
        let task = Step.made(.task, at: heap.address(), edge: .conservative, isPrecise: false, code: code)
        let hint = try judge([heap.root(Mangled.cache), task, heap.closure(), heap.end("Demo.Screen")])
        #expect(hint.pattern == .runningTask)
        #expect(hint.text.hasPrefix("A Task that has not ended runs or keeps closure #1 in Screen.bind(_:to:), which"))
    }

    @Test func taskThatWaitsForABusyActorGetsAdviceAboutTheActor() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let hint = try judge([
            heap.root(Mangled.cache), heap.object("Demo.Spool", "$defaultActor"), task, heap.closure(),
            heap.end("Demo.Screen"),
        ])
        #expect(hint.pattern == .runningTask)
        #expect(hint.text.hasPrefix("A Task that waits for the actor Spool is to run closure #1 in Screen.bind(_:to:)"))
        #expect(
            hint.text.hasSuffix(
                "and let the work that occupies Spool end when Screen is no longer needed. Cancelling the Task alone "
                    + "does not end the wait."))
    }

    @Test func taskWhoseJobIsQueuedGetsAdviceAboutTheExecutor() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let jobs = heap.array(0, of: "Swift.UnownedJob").with { $0.edge = .raw }
        let hint = try judge([
            heap.root(Mangled.cache), heap.object("Demo.Loop", "jobs"), jobs, task, heap.closure(),
            heap.end("Demo.Screen"),
        ])
        #expect(hint.pattern == .runningTask)
        #expect(hint.text.hasPrefix("A Task whose job Loop keeps is to run closure #1 in Screen.bind(_:to:), which"))
        #expect(hint.text.contains("and let Loop run the job when Screen is no longer needed. Cancelling the Task"))
        let tasks = jobs.with { $0.edge = .strong }
        let running = try judge([
            heap.root(Mangled.cache), heap.object("Demo.Loop", "jobs"), tasks, task, heap.closure(),
            heap.end("Demo.Screen"),
        ])
        #expect(running.text.hasPrefix("A Task that has not ended runs closure #1"))
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
                + "next element of a stream that nobody finishes. Capture Screen weakly in the closure ([weak self] "
                + "if it is self), and finish the stream or cancel the Task when Screen is no longer needed.")
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
        heap.awaitedContinuations[task.address] = [sleep]
        #expect(try judge(steps).text.hasSuffix("and cancel the Task when Screen is no longer needed."))
        heap.awaitedContinuations[task.address] = [maker, handler]
        #expect(
            try judge(steps).text.hasSuffix(
                "and cancel the Task when Screen is no longer needed. The handler of the cancellation must resume the "
                    + "continuation, created in Screen.bind(_:to:)."))
        // If the task was cancelled, its handler has not resumed the continuation.
        heap.cancelledTasks = [task.address]
        heap.awaitedContinuations[task.address] = [maker, handler]
        #expect(
            try judge(steps).text.hasSuffix(
                "Resume the continuation when Screen is no longer needed. The Task was cancelled, which has not ended "
                    + "the wait."))
    }

    @Test func adviceForACollectionNamesTheTaskThatHoldsTheInstanceToo() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let steps = [
            heap.root(Mangled.hubShared), heap.object("Demo.Hub", "calls"), heap.array(0), heap.end("Demo.Screen"),
        ]
        let advice = "or store only the needed values, such as an id or a title."
        func text(heldBy owner: Step) throws -> String? {
            let closure = heap.closure().with { $0.owners = [owner] }
            return try explain(.made(.reachable, steps, holders: [closure]), in: heap).hint?.text
        }
        #expect(try text(heldBy: task)?.hasSuffix(advice) == true)
        heap.awaitedContinuations = [task.address: [heap.symbol("$s4Demo6ScreenC4bind_2toS2i_SStYaFTY1_")]]
        #expect(
            try text(heldBy: task)?.hasSuffix(
                "\(advice) A Task that has not ended holds Screen, too, and waits for a continuation, created in "
                    + "Screen.bind(_:to:). Resume the continuation as well.") == true)
        #expect(try text(heldBy: heap.object("Demo.Hub", "calls"))?.hasSuffix(advice) == true)
    }

    @Test func taskThatAwaitsATaskWithALostContinuationIsTold() throws {
        let awaited = Step.made(.task, at: heap.address(), edge: .conservative, isPrecise: false).with {
            $0.isAwaited = true
        }
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        heap.awaitedContinuations = [awaited.address: [heap.symbol("$s4Demo6ScreenC4bind_2toS2i_SStYaFTY1_")]]
        let (pattern, text, _) = try round([heap.closure().with { $0.ownCode = code }, awaited, task])
        #expect(pattern == .lostContinuation)
        #expect(
            text.contains(
                "awaits a Task that waits for a continuation that was never resumed, created in Screen.bind(_:to:)."))
    }

    @Test func closureBehindAnUncertainCycleIsTheSuspect() throws {
        let frames = Step.made(.task, at: heap.address(), edge: .conservative, isPrecise: false)
        let storage = heap.object("Swift.AsyncStream<Swift.Int>._Storage", "state")
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let steps = [frames, storage, task, heap.closure(), heap.end("Demo.Screen")]
        let (pattern, text, suspect) = try judge(steps, .leakedByCycle, cycle: 0...1)
        #expect(pattern == .runningTask)
        #expect(suspect?.hasPrefix("closure #1") == true)
        #expect(text.hasSuffix("and cancel the Task when Screen is no longer needed."))
        // The closure must hold the instance for certain.
        let guess = heap.closure().with { $0.isPrecise = false }
        let unsure = [frames, storage, task, guess, heap.end("Demo.Screen")]
        #expect(try judge(unsure, .leakedByCycle, cycle: 0...1).pattern == nil)
    }

    @Test func taskWithoutHolderGetsLostContinuationHint() throws {
        let task = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let (pattern, text, _) = try judge([task, heap.closure(), heap.end("Demo.Screen")])
        #expect(pattern == .lostContinuation)
        #expect(
            text.hasPrefix("A Task that runs closure #1 in Screen.bind(_:to:), which captures Screen strongly, seems"))
    }

    @Test func taskThatAwaitsAnotherIsNotAloneToBeCancelled() throws {
        let sleeping = Step.made(.task, at: heap.address(), edge: .conservative, isPrecise: false)
            .with { $0.isAwaited = true }
        let waiting = Step.made(.task, at: heap.address(), edge: .function, code: code)
        let start = [heap.root("_dispatch_timers_heap"), sleeping]
        let end = [waiting, heap.closure(), heap.end("Demo.Screen")]
        #expect(
            try judge(start + end).text.hasSuffix(
                "and cancel the Task and the one that it awaits when Screen is no longer needed."))
        // A parent's child, or the next Task in the queue of an actor, does not await the Task before it.
        let parent = sleeping.with { $0.isAwaited = false }
        for path in [[start[0]] + end, [start[0], parent] + end] {
            #expect(try judge(path).text.hasSuffix("and cancel the Task when Screen is no longer needed."))
        }
    }
}
