/// Recognizes the known patterns of leaks in a path, and words a remedy for each.
struct HintFinder {
    let path: NamedPath

    /// The hint for the path; `nil` if the path matches no known pattern.
    var hint: RetainHint? {
        if let hint = sessionDelegate { return hint }
        guard let suspect = path.suspect else { return nil }
        // Users of a library cannot change its closures.
        guard !path.isOfLibrary(suspect) else { return nil }
        guard let cycle = path.cycle, cycle.contains(suspect) else { return hint(fromRootTo: suspect) }
        return hint(in: cycle, suspect)
    }

    // MARK: From a root

    private func hint(fromRootTo suspect: Int) -> RetainHint? {
        let purpose = purpose(before: suspect)
        switch path.nodes[suspect].role {
        case .closure:
            switch purpose {
            case .notificationCenter: return notification(suspect)
            case .timer: return timer(suspect)
            case .task: return taskOrStream(suspect)
            case .request: return request(suspect)
            case .hub: return hub(suspect)
            case nil:
                if isOnStack(suspect) { return runningClosure(suspect) }
                return isRunByThread(suspect) ? threadBody(suspect) : hub(suspect)
            }
        case .task:
            return task(suspect)
        case .root, .object:
            return container(suspect)
        case .block, .gap, .plumbing, .storage, .thunk, .box:
            return nil
        }
    }

    /// The hint for a closure that a task runs, or that a stream calls at its end.
    private func taskOrStream(_ closure: Int) -> RetainHint {
        let before = path.nodes[..<closure]
        if path.beginsAtRoot, path.nodes[0].role == .task { return lostContinuation(closure) }
        if !before.contains(where: { $0.role == .task }), before.contains(where: { Self.isStream($0.type) }) {
            return streamTermination(closure)
        }
        return task(closure)
    }

    /// Whether a function that has not returned holds a closure.
    ///
    /// In most cases the function is running the closure.
    private func isOnStack(_ closure: Int) -> Bool {
        path.beginsAtRoot && path.nodes[0].kind == .stack
            && !path.nodes[1..<closure].contains { [.object, .storage, .task].contains($0.role) }
    }

    /// Whether a thread that has not ended runs a closure, which its `Thread` keeps.
    ///
    /// A variable of the thread refers to the `Thread` until the thread ends.
    private func isRunByThread(_ closure: Int) -> Bool {
        path.beginsAtRoot && path.nodes[0].kind == .threadLocal
            && path.nodes[..<closure].last { $0.role == .object }?.type == "Foundation.Thread"
    }

    private static func isStream(_ type: String) -> Bool {
        ["Swift.AsyncStream", "Swift.AsyncThrowingStream", "_Concurrency.Async"].contains { type.hasPrefix($0) }
    }

    /// The purpose of a closure: that of the nearest node before it with a known purpose.
    ///
    /// `nil` if that node is an object that may not hold the closure. The references of a task and of Dispatch's memory
    /// are never certain, because no type describes them.
    private func purpose(before index: Int) -> KnownTypes.Purpose? {
        guard let node = path.nodes[..<index].indices.last(where: { Self.purpose(path.nodes[$0]) != nil }) else {
            return nil
        }
        guard path.nodes[node].role != .object || holdsCertainly(node, index) else { return nil }
        return Self.purpose(path.nodes[node])
    }

    static func purpose(_ node: PathNode) -> KnownTypes.Purpose? {
        switch node.role {
        case .task: .task
        case .block(.dispatchSource): .timer
        case .root where node.name == RootName.dispatchTimers: .timer
        case .root where node.name == "NotificationCenter.default": .notificationCenter
        // A session that holds its delegate is not a request in flight for the delegate.
        case .object where isSession(node): nil
        case .object, .plumbing: KnownTypes.purpose(of: node.type)
        default: nil
        }
    }

    /// Whether an object holds a later node for certain.
    ///
    /// A closure in C's form holds its captures, although no type describes them.
    func holdsCertainly(_ object: Int, _ held: Int) -> Bool {
        path.nodes[object..<held].allSatisfy { $0.isCertain || $0.role == .block(.closure) }
    }

    // MARK: Round a cycle

    private func hint(in cycle: ClosedRange<Int>, _ suspect: Int) -> RetainHint? {
        let purposes = cycle.compactMap { Self.purpose(path.nodes[$0]) }
        let isClosure = path.nodes[suspect].role == .closure
        if isClosure {
            if purposes.contains(.notificationCenter) { return notification(suspect) }
            if purposes.contains(.hub) { return hub(suspect) }
            if purposes.contains(.timer) { return timer(suspect) }
            if purposes.contains(.request) { return request(suspect) }
        }
        if cycle.contains(where: { path.nodes[$0].awaitedContinuation != nil }) { return lostContinuation(suspect) }
        if purposes.contains(.task) { return task(suspect) }
        return isClosure ? ownClosure(suspect) : parentAndChild(suspect, in: cycle)
    }
}

/// The wording of each pattern: first the fact, then the remedy.
extension HintFinder {
    private func notification(_ closure: Int) -> RetainHint {
        captured(
            .notificationCenterCapture, closure, kept: "A notification centre keeps",
            remedy: ", and remove the observer when \(gone) is deallocated")
    }

    private func hub(_ closure: Int) -> RetainHint {
        captured(
            .hubCapture, closure, kept: "\(keeper(of: closure)) keeps",
            remedy: ", or remove the closure when \(gone) is deallocated")
    }

    private func timer(_ closure: Int) -> RetainHint {
        captured(
            .runningTimer, closure, kept: "A running timer calls",
            remedy: ", and cancel the timer when \(gone) is deallocated")
    }

    private func request(_ closure: Int) -> RetainHint {
        captured(
            .requestInFlight, closure, kept: "A request in flight keeps its completion handler,",
            remedy: ", and cancel the request when \(gone) is deallocated")
    }

    private func ownClosure(_ closure: Int) -> RetainHint {
        captured(
            .ownClosure, closure, kept: "\(keeper(of: closure)) keeps",
            result: ", so the object and the closure hold each other",
            remedy: "")
    }

    /// The hint for a task that nothing resumes any more.
    private func lostContinuation(_ suspect: Int) -> RetainHint {
        let place = path.nodes.lazy.compactMap(\.awaitedContinuation).first
        if let place, Self.isNextOfStream(place) { return unfinishedStream(suspect) }
        let runs =
            path.nodes[suspect].role == .closure
            ? "that runs \(name(suspect)), which \(capture(suspect))" : "keeps \(gone)"
        let waits =
            place.map { "waits for a continuation that was never resumed, created in \($0)" }
            ?? "seems to wait for an event that can no longer occur"
        let fact = path.nodes[suspect].role == .closure ? "A Task \(runs), \(waits)." : "A Task \(runs) and \(waits)."
        return RetainHint(
            pattern: .lostContinuation,
            text:
                "\(fact) Resume each continuation exactly once on every code path, also when its owner is deallocated.")
    }

    /// Whether a function makes the continuation of a task that waits for the next element of a stream.
    private static func isNextOfStream(_ function: String) -> Bool {
        function.contains("Stream._Storage.next(")
    }

    /// The hint for a task that waits for the next element of a stream, if nothing but the task's own objects can add
    /// elements.
    private func unfinishedStream(_ suspect: Int) -> RetainHint {
        let runs =
            path.nodes[suspect].role == .closure
            ? "that runs \(name(suspect)), which \(capture(suspect))," : "keeps \(gone) and"
        let advice = path.nodes[suspect].role == .closure ? " \(weakly(suspect)), and finish" : " Finish"
        return RetainHint(
            pattern: .lostContinuation,
            text: "A Task \(runs) waits for the next element of a stream that nobody finishes.\(advice) the stream or "
                + "cancel the Task when \(gone) is no longer needed.")
    }

    /// The hint for the closure of a thread.
    private func threadBody(_ closure: Int) -> RetainHint {
        captured(
            .runningClosure, closure, kept: "A thread that has not ended runs",
            remedy: ", or let the thread end when \(gone) is no longer needed")
    }

    /// The hint for a closure that a function on a stack keeps, in most cases because it is running the closure.
    private func runningClosure(_ closure: Int) -> RetainHint {
        captured(
            .runningClosure, closure,
            kept: "A function that has not returned, on the \(path.nodes[0].name), runs or keeps",
            remedy: ", or let the function return when \(gone) is no longer needed")
    }

    /// The hint for a session, which keeps its delegate until the program invalidates the session.
    private var sessionDelegate: RetainHint? {
        guard let session = path.nodes.indices.first(where: isSessionWithDelegate), path.isCertain(from: session) else {
            return nil
        }
        // A closure that the delegate holds is another leak.
        if let suspect = path.suspect, path.nodes[suspect].role == .closure { return nil }
        let delegate = path.nextShown(after: session).map { path.nodes[$0].name } ?? gone
        let remedy =
            "Invalidate the session with finishTasksAndInvalidate() or invalidateAndCancel() "
            + "when \(gone) is no longer needed."
        return RetainHint(
            pattern: .sessionDelegate,
            text: "A URLSession retains its delegate, \(delegate), until the session is invalidated. \(remedy)")
    }

    private func isSessionWithDelegate(_ index: Int) -> Bool {
        guard Self.isSession(path.nodes[index]), let next = path.nextShown(after: index) else { return false }
        return path.nodes[next].role == .object && !path.isOfLibrary(next)
    }

    /// Whether a node is a session that holds its delegate.
    private static func isSession(_ node: PathNode) -> Bool {
        ["Foundation.URLSession", "FoundationNetworking.URLSession"].contains(node.type)
            && node.members.split(separator: ".").first.map { ["delegate", "_delegate"].contains($0) } ?? false
    }

    private func streamTermination(_ closure: Int) -> RetainHint {
        captured(
            .streamTermination, closure, kept: "A stream that has not ended keeps its termination handler",
            remedy: ", and finish the stream when \(gone) is no longer needed")
    }

    private func task(_ suspect: Int) -> RetainHint {
        guard path.nodes[suspect].role != .closure else {
            return captured(
                .runningTask, suspect, kept: "A Task that has not ended runs",
                remedy: ", and cancel the Task when \(gone) is no longer needed")
        }
        let remedy =
            "Cancel the Task when \(gone) is no longer needed, and capture self weakly, [weak self], in its closure."
        let fact = "A Task keeps \(gone): the Task has not ended, or another object keeps its result."
        return RetainHint(pattern: .runningTask, text: "\(fact) \(remedy)")
    }

    /// The hint for a closure that captures an object that should be gone.
    private func captured(
        _ pattern: RetainHint.Pattern, _ closure: Int, kept: String, result: String = "", remedy: String
    ) -> RetainHint {
        let fact = "\(kept) \(name(closure)), which \(capture(closure))\(result)."
        return RetainHint(pattern: pattern, text: "\(fact) \(weakly(closure))\(remedy).")
    }

    /// The hint for a collection that a root reaches and that the program does not empty.
    private func container(_ owner: Int) -> RetainHint? {
        guard let held = path.nextShown(after: owner), held > owner,
            path.nodes[owner + 1..<held].contains(where: { $0.role == .storage })
        else { return nil }
        // Users do not know the private types of a library.
        let name = isPrivateToLibrary(held) ? gone : path.nodes[held].name
        let fact = "\(keeper(of: held)) keeps \(name) until the program removes it."
        let needed = name == gone ? "it" : gone
        let instead = "or store only the needed values, such as an id or a title"
        return RetainHint(
            pattern: .growingContainer, text: "\(fact) Remove \(name) when \(needed) is no longer needed, \(instead).")
    }

    /// The library's object that refers back to the object of the program, if the program owns its part of the cycle.
    ///
    /// A chain of a library's objects that begins in a property or a collection of the program's object would die if
    /// that property were weak. Between two objects, the property may as well be the reference back.
    private func libraryHolder(of suspect: Int, among objects: [Int]) -> Int? {
        guard let next = path.nextShown(after: suspect), let position = objects.firstIndex(of: suspect) else {
            return nil
        }
        let back = objects[(position + objects.count - 1) % objects.count]
        guard path.isOfLibrary(back), path.isOfLibrary(next), !path.isOfLibrary(suspect), back != next else {
            return nil
        }
        return back
    }

    private func parentAndChild(_ suspect: Int, in cycle: ClosedRange<Int>) -> RetainHint? {
        let objects = cycle.filter { path.nodes[$0].role == .object }
        guard objects.count > 1, path.nodes[suspect].role == .object else { return nil }
        let names = objects.map { path.nodes[$0].name }
        let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        let all = Set(names).count == 1 ? "\(names.count) objects of type \(names[0])" : list
        if let library = libraryHolder(of: suspect, among: objects) {
            let name = path.nodes[suspect].name
            let remedy =
                "Cancel, close or remove \(path.nodes[library].name) when \(name) is no longer needed, or give the "
                + "library a closure that captures \(name) weakly."
            return RetainHint(
                pattern: .parentAndChild,
                text: "\(all) hold each other. \(property(library)), of a library, refers to \(name). \(remedy)")
        }
        return RetainHint(
            pattern: .parentAndChild,
            text: "\(all) hold each other. Make \(property(suspect)) weak.")
    }
}
