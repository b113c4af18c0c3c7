/// Recognizes the known patterns of leaks in a path, and words a remedy for each.
struct HintFinder {
    let path: NamedPath
    /// Tasks that hold the instance, too, but not on this path.
    var otherTasks: [PathNode] = []

    /// The hint for the path; `nil` if the path matches no known pattern.
    var hint: RetainHint? {
        if let hint = sessionDelegate { return hint }
        guard let suspect = path.suspect else {
            let undecided = path.undecidedSuspects
            return undecided.isEmpty ? nil : path.cycle.map { self.undecided(undecided, in: $0) }
        }
        if let hint = deallocator(behind: suspect) { return hint }
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
            case .source: return eventSource(suspect)
            case .task:
                if path.beginsAtRoot, path.nodes[0].role == .task { return lostContinuation(suspect) }
                return taskOrStream(suspect, behind: path.nodes[..<suspect])
            case .request: return request(suspect)
            case .hub: return hub(suspect)
            case nil:
                if isOnStack(suspect) { return runningClosure(suspect) }
                return isRunByThread(suspect) ? threadBody(suspect) : pendingWork(suspect) ?? hub(suspect)
            }
        case .task:
            return task(suspect)
        case .root, .object:
            return container(suspect).map(withWaitingTask)
        case .block, .gap, .plumbing, .storage, .thunk, .box:
            return nil
        }
    }

    /// The hint for a closure that a task runs, or that a stream keeps, by the nodes that hold the closure.
    private func taskOrStream(_ closure: Int, behind nodes: ArraySlice<PathNode>) -> RetainHint {
        guard !nodes.contains(where: { $0.role == .task }), nodes.contains(where: { Self.isStream($0.type) }) else {
            return task(closure)
        }
        if let buffer = nodes.indices.first(where: { Self.isStreamBuffer(path.nodes[$0]) }) {
            return unread(closure, behind: buffer)
        }
        guard nodes.contains(where: { Self.isStream($0.type) && $0.members.hasSuffix(".produce") }) else {
            return streamTermination(closure)
        }
        // The stream's own closure captures the cancellation handler, and the producing closure in a lock.
        let isInLock = nodes.contains { $0.bareType.hasPrefix("_AsyncStreamCriticalStorage") }
        return streamProducer(closure, isCancellation: !isInLock)
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

    /// Whether a node is the memory in which a stream keeps the elements that nobody has read.
    static func isStreamBuffer(_ node: PathNode) -> Bool {
        node.bareType == "_DequeBuffer" && ["Swift", "_Concurrency"].contains(node.module)
    }

    static func isStream(_ type: String) -> Bool {
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
        // A task that has ended runs nothing.
        case .task: node.hasEnded ? nil : .task
        case .block where node.isTimer: .timer
        case .block(.dispatchSource): .source
        case .root where node.name == RootName.dispatchTimers: .timer
        case .root where node.name == RootName.dispatchSources: .source
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
            if isOfClosuresAlone(cycle) { return closuresAlone(in: cycle) }
            if purposes.contains(.notificationCenter) { return notification(suspect) }
            if purposes.contains(.hub) { return hub(suspect) }
            if purposes.contains(.timer) { return timer(suspect) }
            if purposes.contains(.source) { return eventSource(suspect) }
            if purposes.contains(.request) { return request(suspect) }
            if let hint = pendingGroup(suspect) { return hint }
        }
        if cycle.contains(where: { path.nodes[$0].awaitedContinuation != nil }) { return lostContinuation(suspect) }
        if !isClosure, let hint = unreadElement(in: cycle) { return hint }
        if purposes.contains(.task) || path.nodes[suspect].role == .task {
            return isClosure ? taskOrStream(suspect, behind: path.nodes[cycle]) : task(suspect)
        }
        return isClosure ? ownClosure(suspect) : parentAndChild(suspect, in: cycle)
    }
}
