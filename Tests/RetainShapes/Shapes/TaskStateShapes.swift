package import LifetimeTracer
internal import RetainShapesNeighbour

/// Suspended tasks, by what they await.
@MainActor package enum TaskStateShapes {
    /// The handles of tasks, inverted, because a handle would be another holder.
    private static var running: [UInt] = []
    package nonisolated static let latch = Latch()
    package nonisolated static let waiters = Locked<[String: UnsafeContinuation<Void, Never>]>([:])
    package static var stream: AsyncStream<Int>?
    package static var ending: AsyncStream<Int>.Continuation?
    package static var throwing: AsyncThrowingStream<Screen, any Error>?
    package static var clerk: Clerk?
    @TaskLocal package static var current: Screen?

    /// An actor that runs one job after the other.
    package actor Clerk {
        package init() {}

        package func hold(until latch: Latch) async { await latch.pass() }
        package func serve(_ screen: Screen) { screen.tap() }
        package func rest() async { try? await Task.sleep(for: .seconds(3600)) }
    }

    static let all = [
        sleepFor, sleepNanoseconds, sleepUntil, sleepWithTolerance, sleepAgain, sleepAmongOthers, sleepInMethod,
        sleepInOwnTask, sleepInChild, sleepInAsyncLet, sleepInActor, sleepInDiscardingGroup, sleepOfAwaited,
        taskLocalInSleep, handlerInSleep, namedContinuation, lostContinuation, lostInFunction, lostInOwnTask,
        streamOfStatic,
        onTermination, throwingBuffer, awaitsActor, nestedGroups, awaitsFirstOfMany,
    ]

    private static let timers = StepPattern.global("Dispatch's timers")

    /// A shape with a task that ends when it is cancelled.
    private static func sleeping(
        _ name: String, _ expectation: Expectation? = nil,
        _ start: @escaping @MainActor @Sendable (DetailScreen) -> Task<Void, Never>
    ) -> Shape {
        Shape(name, (expectation ?? .held(timers, .task)).orMore(), using: ["TaskStateShapes.running"]) {
            let screen = DetailScreen()
            remember(start(screen))
            return Planted(screen) { cancelAll() }
        }
    }

    private static func remember(_ task: Task<Void, Never>) {
        running.append(~unsafeBitCast(task, to: UInt.self))
        waitForDispatch()
    }

    /// Cancels the tasks.
    ///
    /// Their handles are valid, because the tasks have not ended.
    private static func cancelAll() {
        for word in running { unsafeBitCast(~word, to: Task<Void, Never>.self).cancel() }
        running = []
    }

    private static let sleepFor = sleeping("sleep: for a duration", .held(timers, .task, .closure("sleepFor"))) {
        screen in
        startByHand {
            try? await Task.sleep(for: .seconds(3600))
            screen.tap()
        }
    }

    private static let sleepNanoseconds = sleeping("sleep: for nanoseconds") { screen in
        startByHand {
            try? await Task.sleep(nanoseconds: 3_600_000_000_000)
            screen.tap()
        }
    }

    private static let sleepUntil = sleeping("sleep: until an instant of another clock") { screen in
        startByHand {
            try? await Task.sleep(until: .now + .seconds(3600), clock: .suspending)
            screen.tap()
        }
    }

    private static let sleepWithTolerance = sleeping("sleep: with a tolerance") { screen in
        startByHand {
            try? await Task.sleep(for: .seconds(3600), tolerance: .seconds(5), clock: .continuous)
            screen.tap()
        }
    }

    private static let sleepAgain = sleeping("sleep: again and again") { screen in
        let rounds = Locked(0)
        let task = startByHand {
            while !Task.isCancelled {
                let isLast = rounds.withLock { rounds in
                    rounds += 1
                    return rounds > 5
                }
                screen.tap()
                try? await Task.sleep(for: isLast ? .seconds(3600) : .milliseconds(1))
            }
        }
        waitUntil("the task sleeps for long") { rounds.withLock { $0 } == 6 }
        waitForDispatch()
        return task
    }

    private static let sleepAmongOthers = Shape(
        "sleep: among many others", .held(timers, .task, .closure("sleepAmongOthers")).orMore(),
        using: ["TaskStateShapes.running"]
    ) {
        func start(_ screen: Screen) -> Task<Void, Never> {
            startByHand {
                try? await Task.sleep(for: .seconds(3600))
                screen.tap()
            }
        }
        for _ in 0..<20 { remember(start(Screen())) }
        let screen = DetailScreen()
        remember(start(screen))
        for _ in 0..<20 { remember(start(Screen())) }
        return Planted(screen) { cancelAll() }
    }

    private static let sleepInMethod = Shape(
        "sleep: in a method that captures self", .held(timers, .task, .closure("Poller.poll")).orMore()
    ) {
        let poller = Poller()
        remember(poller.poll())
        return Planted(poller) { cancelAll() }
    }

    private static let sleepInOwnTask = Shape(
        "sleep: with the task in a property of what it captures",
        .held(timers, .task, .closure("Poller.start")).orMore()
    ) {
        let poller = Poller()
        poller.start()
        waitForDispatch()
        let hidden = Hidden(poller)
        return Planted(poller) { hidden.object.stop() }
    }

    private static let sleepInChild = sleeping("sleep: in a child of a group") { screen in
        startByHand {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await Task.sleep(for: .seconds(3600)) }
                group.addTask {
                    try? await Task.sleep(for: .seconds(3600))
                    screen.tap()
                }
            }
        }
    }

    private static let sleepInAsyncLet = sleeping("sleep: in an async let") { screen in
        startByHand {
            async let taps = sleepLong(screen)
            _ = await taps
        }
    }

    private static let sleepInActor = sleeping("sleep: in an actor's method") { screen in
        sleepInClerk(screen)
    }

    private static let sleepInDiscardingGroup = sleeping("sleep: in a child of a discarding group") { screen in
        startByHand {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    try? await Task.sleep(for: .seconds(3600))
                    screen.tap()
                }
            }
        }
    }

    private static let sleepOfAwaited = sleeping("sleep: of a task that another awaits") { screen in
        let inner = startByHand { try? await Task.sleep(for: .seconds(3600)) }
        return startByHand {
            await withTaskCancellationHandler {
                await inner.value
            } onCancel: {
                inner.cancel()
            }
            screen.tap()
        }
    }

    private static let taskLocalInSleep = sleeping("sleep: with a task-local value") { screen in
        $current.withValue(screen) { () -> Task<Void, Never> in
            startByHandInheriting { try? await Task.sleep(for: .seconds(3600)) }
        }
    }

    private static let handlerInSleep = sleeping("sleep: with a cancellation handler") { screen in
        startByHand {
            await withTaskCancellationHandler {
                try? await Task.sleep(for: .seconds(3600))
            } onCancel: {
                screen.tap()
            }
        }
    }

    private static let namedContinuation = Shape(
        "continuation in a dictionary",
        .held(.global("TaskStateShapes.waiters"), .through("[\"detail\"]"), .task).orMore()
    ) {
        let screen = DetailScreen()
        startUntilItWaits {
            await withUnsafeContinuation { continuation in waiters.withLock { $0["detail"] = continuation } }
            screen.tap()
        }
        return Planted(screen) {
            waiters.withLock { $0.removeValue(forKey: "detail") }?.resume()
        }
    }

    private static let lostContinuation = Shape(
        "continuation that nobody keeps",
        .held(.task, .closure("lostContinuation")).orMore()
            .hinting(
                .lostContinuation,
                "never resumed, created in closure #1 in closure #1 in static TaskStateShapes.lostCont"
            )
    ) {
        let screen = DetailScreen()
        let word = Locked<UInt>(0)
        startUntilItWaits {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                word.withLock { $0 = ~unsafeBitCast(continuation, to: UInt.self) }
            }
            screen.tap()
        }
        return Planted(screen) {
            unsafeBitCast(~word.withLock { $0 }, to: UnsafeContinuation<Void, Never>.self).resume()
        }
    }

    private static let lostInFunction = Shape(
        "continuation that nobody keeps, of another function",
        .held(.task, .closure("lostInFunction")).orMore().hinting(
            .lostContinuation, "never resumed, created in loseReply(_:)")
    ) {
        let screen = DetailScreen()
        let word = Locked<UInt>(0)
        startByHand {
            await loseReply(word)
            screen.tap()
        }
        return Planted(screen) {
            unsafeBitCast(~word.withLock { $0 }, to: UnsafeContinuation<Void, Never>.self).resume()
        }
    }

    private static let lostInOwnTask = Shape(
        "continuation that nobody keeps, of the task of its owner",
        .cycle(.object("Poller"), .through("task"), .task).orMore()
            .hinting(.lostContinuation, "never resumed, created in closure #1 in Poller.waitForEver()")
    ) {
        let poller = Poller()
        poller.waitForEver()
        let hidden = Hidden(poller)
        return Planted(poller) { hidden.object.resume() }
    }

    private static let streamOfStatic = Shape(
        "loop over a stream of which a variable has the other end",
        .held(.global("TaskStateShapes.ending"), .task).orMore()
    ) {
        let screen = DetailScreen()
        let (stream, end) = AsyncStream.makeStream(of: Int.self)
        startByHand { for await number in stream { screen.taps += number } }
        ending = end
        return Planted(screen) {
            ending?.finish()
            ending = nil
        }
    }

    private static let onTermination = Shape(
        "termination handler of a stream",
        .held(.global("TaskStateShapes.stream"), .closure("onTermination")).hinting(.streamTermination)
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        let (made, end) = AsyncStream.makeStream(of: Int.self)
        end.onTermination = { _ in screen.taps += number }
        stream = made
        return Planted(screen) { stream = nil }
    }

    private static let throwingBuffer = Shape(
        "element in a throwing stream's buffer", .held(.global("TaskStateShapes.throwing")).giving("throwing")
    ) {
        let screen = DetailScreen()
        let (made, end) = AsyncThrowingStream.makeStream(of: Screen.self)
        end.yield(Screen())
        end.yield(screen)
        throwing = made
        return Planted(screen) { throwing = nil }
    }

    private static let awaitsActor = Shape(
        "task that waits for another of an actor", .held(.global("TaskStateShapes.latch"), .task).orMore()
    ) {
        let screen = DetailScreen()
        let clerk = Clerk()
        let task = startByHand {
            await clerk.hold(until: latch)
            screen.tap()
        }
        waitUntil("the actor waits") { latch.count == 1 }
        _ = task
        return Planted(screen) { latch.open() }
    }

    private static let nestedGroups = sleeping("sleep: of a grandchild") { screen in
        startByHand {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await withTaskGroup(of: Void.self) { inner in
                        inner.addTask {
                            try? await Task.sleep(for: .seconds(3600))
                            screen.tap()
                        }
                    }
                }
            }
        }
    }

    private static let awaitsFirstOfMany = sleeping("sleep: of a parent whose children sleep") { screen in
        startByHand {
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        try? await Task.sleep(for: .seconds(3600))
                        return number
                    }
                }
                _ = await group.next()
                screen.tap()
            }
        }
    }
}

private func sleepInClerk(_ screen: Screen) -> Task<Void, Never> {
    let clerk = TaskStateShapes.Clerk()
    return startByHand {
        await clerk.rest()
        screen.tap()
    }
}

private func sleepLong(_ screen: Screen) async -> Int {
    try? await Task.sleep(for: .seconds(3600))
    return screen.taps
}

/// Loses a continuation, which the runtime reports on standard error, and stores the word with which the task can be
/// resumed.
@inline(never)
private func loseReply(_ word: Locked<UInt>) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        // A checked continuation is a reference to an object. After the object's header stands the task: the word of an
        // unsafe continuation.
        guard let object = UnsafeRawPointer(bitPattern: unsafeBitCast(continuation, to: UInt.self)) else { return }
        let task = object.load(fromByteOffset: 16, as: UInt.self)
        word.withLock { $0 = ~task }
    }
}

/// Polls in a task.
private final class Poller: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread and the poller's task use it.
    private var task: Task<Void, Never>?
    private var word: UInt = 0
    private var count = 0

    @inline(never)
    func poll() -> Task<Void, Never> {
        startByHand {
            while !Task.isCancelled {
                self.count += 1
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }

    @inline(never)
    func start() {
        task = startByHand {
            while !Task.isCancelled {
                self.count += 1
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }

    func waitForEver() {
        task = startByHand {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                self.word = ~unsafeBitCast(continuation, to: UInt.self)
            }
            self.task = nil
        }
    }

    func resume() { unsafeBitCast(~word, to: UnsafeContinuation<Void, Never>.self).resume() }
}
