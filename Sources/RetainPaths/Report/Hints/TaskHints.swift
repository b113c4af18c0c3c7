/// The wording of the patterns with tasks and streams.
extension HintFinder {
    /// The hint for a task that nothing resumes any more.
    func lostContinuation(_ suspect: Int) -> RetainHint {
        let place = path.nodes.lazy.compactMap(\.awaitedContinuation).first
        if let place, Self.isNextOfStream(place) { return unfinishedStream(suspect) }
        // The library resumes the continuation of a sleep, even if no reference to the continuation was found.
        if let place, Self.isSleep(place) { return task(suspect) }
        let runs =
            path.nodes[suspect].role == .closure
            ? "that \(runs(suspect)) \(name(suspect)), which \(capture(suspect))" : "keeps \(gone)"
        let waiting = awaitsAnother(suspect) ? "awaits a Task that waits" : "waits"
        let waits =
            place.map { "\(waiting) for a continuation that was never resumed, created in \($0)" }
            ?? "seems to wait for an event that can no longer occur"
        let fact = path.nodes[suspect].role == .closure ? "A Task \(runs), \(waits)." : "A Task \(runs) and \(waits)."
        return RetainHint(
            pattern: .lostContinuation,
            text:
                "\(fact) Resume each continuation exactly once on every code path, also when its owner is deallocated.")
    }

    /// Whether the task that runs a closure awaits the task of the path that waits for the continuation.
    private func awaitsAnother(_ closure: Int) -> Bool {
        guard path.nodes[closure].role == .closure,
            let waiting = path.nodes.firstIndex(where: { $0.awaitedContinuation != nil })
        else { return false }
        return path.nodes[waiting].isAwaited
    }

    /// Whether a function makes the continuation of a task that sleeps: `static Task<>._sleep<A>(…)`.
    private static func isSleep(_ function: String) -> Bool {
        ["static Task<", "ContinuousClock.", "SuspendingClock."].contains(where: function.hasPrefix)
            && function.contains("sleep")
    }

    /// Whether a function makes the continuation of a task that waits for the next element of a stream.
    private static func isNextOfStream(_ function: String) -> Bool {
        function.contains("Stream._Storage.next(")
    }

    /// The hint for a task that waits for the next element of a stream, if nothing but the task's own objects can add
    /// elements.
    func unfinishedStream(_ suspect: Int) -> RetainHint {
        let isClosure = path.nodes[suspect].role == .closure
        // The program cannot capture the stream's own objects weakly.
        if isClosure, let captured = path.nextShown(after: suspect), Self.isStream(path.nodes[captured].type) {
            let last = path.nodes.last?.name ?? gone
            return RetainHint(
                pattern: .lostContinuation,
                text: "A Task that runs \(name(suspect)) waits for the next element of a stream that nobody finishes. "
                    + "Finish the stream or cancel the Task when \(last) is no longer needed.")
        }
        let runs = isClosure ? "that runs \(name(suspect)), which \(capture(suspect))," : "keeps \(gone) and"
        let advice = isClosure ? " \(weakly(suspect)), and finish" : " Finish"
        return RetainHint(
            pattern: .lostContinuation,
            text: "A Task \(runs) waits for the next element of a stream that nobody finishes.\(advice) the stream or "
                + "cancel the Task when \(gone) is no longer needed.")
    }

    /// The hint for a closure that is, or that is held by, an element in the memory of a stream.
    func unread(_ closure: Int, behind buffer: Int) -> RetainHint {
        let element = path.nextShown(after: buffer)
        let held = element == closure ? "" : element.map { " \(path.nodes[$0].name), and \(keeping(closure))" } ?? ""
        return captured(
            .growingContainer, closure, kept: "A stream keeps an element that nobody has read,\(held)",
            remedy: ". Read the elements, or give up the stream and its continuation, when \(gone) is no longer needed")
    }

    /// The hint for an object that is in an element of a stream; `nil` if nothing behind the owner is such an element.
    func unreadElement(_ owner: Int) -> RetainHint? {
        let nodes = path.nodes[(owner + 1)...]
        guard let buffer = nodes.firstIndex(where: Self.isStreamBuffer), let held = path.nextShown(after: buffer),
            held > buffer, path.isCertain(from: buffer)
        else { return nil }
        return unread(element: held)
    }

    /// The hint for a cycle through an element of a stream; `nil` if there is none, or if a Task is part of the cycle.
    func unreadElement(in cycle: ClosedRange<Int>) -> RetainHint? {
        guard let buffer = cycle.first(where: { Self.isStreamBuffer(path.nodes[$0]) }),
            let held = path.nextShown(after: buffer), !cycle.contains(where: { path.nodes[$0].role == .task })
        else { return nil }
        return unread(element: held)
    }

    private func unread(element held: Int) -> RetainHint {
        RetainHint(
            pattern: .growingContainer,
            text: "A stream keeps an element that nobody has read: \(path.nodes[held].name). Read the elements, or "
                + "give up the stream and its continuation, when \(gone) is no longer needed.")
    }

    func streamTermination(_ closure: Int) -> RetainHint {
        captured(
            .streamTermination, closure, kept: "A stream that has not ended keeps its termination handler",
            remedy: ", and finish the stream when \(gone) is no longer needed")
    }

    /// The hint for the closure that produces a stream's elements, or that is called when their reader is cancelled.
    func streamProducer(_ closure: Int, isCancellation: Bool) -> RetainHint {
        let kept =
            isCancellation
            ? "A stream keeps its cancellation handler," : "A stream keeps the closure that produces its elements,"
        return captured(
            .streamProducer, closure, kept: kept,
            remedy: ", and give up the stream when \(gone) is no longer needed")
    }

    /// The hint for a task that has ended, whose result or error lives as long as a reference to the task.
    private func finishedTask(_ task: Int) -> RetainHint {
        let isError = path.nodes[(task + 1)...].first?.name == NodeReader.errorBox
        let held = path.nextShown(after: task).map { path.nodes[$0].name } ?? gone
        let leads = held == gone ? "" : ", which leads to \(gone)"
        let fact = "\(keeping(task)) a finished Task, whose \(isError ? "error" : "result") holds \(held)\(leads)."
        let isInTask = task > 0 && path.nodes[..<task].last { $0.role != .block(.taskMemory) }?.role == .task
        let remedy = isInTask ? ", or take the result out of its task group with next()," : ""
        return RetainHint(
            pattern: .finishedTask,
            text: "\(fact) Give up the reference to the Task\(remedy) when \(gone) is no longer needed.")
    }

    /// The hint for a task that waits for the program to resume a continuation, which something keeps.
    private func keptContinuation(_ suspect: Int, _ task: PathNode, _ place: String) -> RetainHint {
        let isClosure = path.nodes[suspect].role == .closure
        let fact = isClosure ? "\(runs(suspect)) \(name(suspect)), which \(capture(suspect))," : "keeps \(gone)"
        let cancelling =
            task.isCancelled
            ? "The Task was cancelled, which has not ended the wait."
            : "Cancelling the Task alone does not end the wait."
        return RetainHint(
            pattern: .runningTask,
            text: "A Task that has not ended \(fact) and waits for a continuation, created in \(place). Resume the "
                + "continuation when \(gone) is no longer needed. \(cancelling)")
    }

    /// What a task does with a closure: it runs the closure with which it began, and a variable of one of its functions
    /// may keep any other.
    private func runs(_ closure: Int) -> String {
        guard let task = path.nodes[..<closure].lastIndex(where: { $0.role == .task }) else { return "runs" }
        return path.nodes[task..<closure].allSatisfy(\.isCertain) ? "runs" : "runs or keeps"
    }

    /// The hint with another sentence if a task that waits for the program holds the instance, too.
    ///
    /// Without that sentence, the advice would not end the life of the instance.
    func withWaitingTask(_ hint: RetainHint) -> RetainHint {
        let awaited = otherTasks.first { $0.awaitsResumption && !$0.hasEnded }?.awaitedContinuation
        guard let awaited else { return hint }
        return RetainHint(
            pattern: hint.pattern,
            text: "\(hint.text) A Task that has not ended holds \(gone), too, and waits for a continuation, created in "
                + "\(awaited). Resume the continuation as well.")
    }

    /// The task whose continuation the program must resume so that the task at or before a node goes on.
    ///
    /// A child of that task may await it.
    private func awaitingResumption(_ suspect: Int) -> PathNode? {
        awaiting(suspect).first { $0.awaitsResumption && !$0.hasEnded }
    }

    /// The task at or before a node, and the tasks before it that it may await.
    private func awaiting(_ suspect: Int) -> [PathNode] {
        path.nodes[...suspect].reversed().drop { $0.role == .closure || $0.role == .thunk }
            .prefix { $0.kind == .task || $0.isFolded }
    }

    /// The rest of the advice for a task whose program handles the cancellation, which may not end the wait.
    private func handler(_ suspect: Int) -> String {
        guard let task = awaiting(suspect).first(where: \.handlesCancellation), let place = task.awaitedContinuation
        else { return "" }
        return ". The handler of the cancellation must resume the continuation, created in \(place)"
    }

    /// Whether the task that runs a closure is reached through another task that has not ended.
    ///
    /// A task refers to the tasks that await it. Cancelling one that awaits does not end the wait.
    private func awaitsTask(_ closure: Int) -> Bool {
        let before = path.nodes[..<closure].filter { !$0.isFolded || $0.role == .task }.suffix(2)
        guard before.count == 2, let awaited = before.first, awaited.isAwaited else { return false }
        return before.allSatisfy { $0.role == .task && !$0.hasEnded }
    }

    /// The actor for which the task that runs a closure waits, because other work occupies the actor.
    private func awaitedActor(_ closure: Int) -> String? {
        guard let task = path.nodes[..<closure].lastIndex(where: { $0.role == .task }),
            let actor = path.nodes[..<task].lastIndex(where: { !$0.isFolded }),
            path.through(actor) == ".$defaultActor"
        else { return nil }
        return path.nodes[actor].name
    }

    /// The executor of the program that keeps the job of the task that runs a closure, and has not run it yet.
    private func executor(_ closure: Int) -> String? {
        guard let task = path.nodes[..<closure].lastIndex(where: { $0.role == .task }), task > 0,
            path.nodes[task - 1].keepsPointer, path.nodes[task].awaitedContinuation == nil,
            let owner = path.nodes[..<task].indices.last(where: { path.isShown($0) && !path.isOfLibrary($0) }),
            [.object, .root].contains(path.nodes[owner].role)
        else { return nil }
        return path.nodes[owner].name
    }

    func task(_ suspect: Int) -> RetainHint {
        if let awaiting = awaitingResumption(suspect), let place = awaiting.awaitedContinuation {
            return keptContinuation(suspect, awaiting, place)
        }
        if path.nodes[suspect].role == .closure, let actor = awaitedActor(suspect) {
            return captured(
                .runningTask, suspect, kept: "A Task that waits for the actor \(actor) is to run",
                remedy: ", and let the work that occupies \(actor) end when \(gone) is no longer needed. "
                    + "Cancelling the Task alone does not end the wait")
        }
        if path.nodes[suspect].role == .closure, let executor = executor(suspect) {
            return captured(
                .runningTask, suspect, kept: "A Task whose job \(executor) keeps is to run",
                remedy: ", and let \(executor) run the job when \(gone) is no longer needed. "
                    + "Cancelling the Task alone does not end the wait")
        }
        guard path.nodes[suspect].role != .closure else {
            let awaited = awaitsTask(suspect) ? " and the one that it awaits" : ""
            return captured(
                .runningTask, suspect, kept: "A Task that has not ended \(runs(suspect))",
                remedy: ", and cancel the Task\(awaited) when \(gone) is no longer needed\(handler(suspect))")
        }
        if path.nodes[suspect].hasEnded { return finishedTask(suspect) }
        let remedy =
            "Cancel the Task when \(gone) is no longer needed, and capture \(gone) weakly in its closure "
            + "([weak self] if it is self)."
        let fact = "A Task that has not ended keeps \(gone)."
        return RetainHint(pattern: .runningTask, text: "\(fact) \(remedy)")
    }
}
