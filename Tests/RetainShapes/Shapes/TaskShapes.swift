import Dispatch
package import LifetimeTracer
internal import RetainShapesNeighbour

/// Tasks, continuations, streams and actors.
@MainActor package enum TaskShapes {
    package nonisolated static let latch = Latch()
    package static var desk: Desk?
    package static var stream: AsyncStream<Screen>?
    package nonisolated static let numbers = Locked<AsyncStream<Int>.Continuation?>(nil)
    package nonisolated static let waiting = Locked<UnsafeContinuation<Void, Never>?>(nil)
    package static var finished: Task<Screen, Never>?
    package static var running: Task<Void, Never>?
    package static var executor: HandExecutor?
    @TaskLocal package static var current: Screen?

    /// An actor with stored screens.
    package actor Desk {
        package var papers: [Screen] = []
        package var drawer: (any Sendable)?

        package init(_ paper: Screen) { papers = [paper] }

        package func signal(_ passed: DispatchSemaphore) { passed.signal() }

        package func work(until latch: Latch) async {
            let paper = papers.removeLast()
            await latch.pass()
            paper.tap()
        }
    }

    static let all = [
        waitingTask, unsafeWait, heldByActor, workingActor, bufferedElement, streamCycle, loopOverStream, mappedStream,
        group, asyncLet, taskResult, taskLocal, cancellationHandler, notStarted, localValue, sleeping, ownTask,
    ]

    static let waitingTask = Shape("task that waits", .held(.global("TaskShapes.latch"), .task).orMore()) {
        let screen = DetailScreen()
        startUntilItWaits {
            await latch.pass()
            screen.tap()
        }
        return Planted(screen) { latch.open() }
    }

    static let unsafeWait = Shape(
        "task with an unsafe continuation", .held(.global("TaskShapes.waiting"), .task).orMore()
    ) {
        let screen = DetailScreen()
        startUntilItWaits {
            await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
            screen.tap()
        }
        return Planted(screen) {
            waiting.withLock { continuation in
                continuation?.resume()
                continuation = nil
            }
        }
    }

    static let heldByActor = Shape(
        "property of an actor", .held(.global("TaskShapes.desk"), .object("Desk"), .through("papers"), .through("[0]"))
    ) {
        let screen = DetailScreen()
        desk = Desk(screen)
        return Planted(screen) { desk = nil }
    }

    static let workingActor = Shape("method of an actor that waits", .held(.global("TaskShapes.latch"), .task).orMore())
    {
        let screen = DetailScreen()
        let desk = Desk(screen)
        Task.detached { await desk.work(until: latch) }
        waitUntil("the task waits") { latch.count == 1 }
        // The actor runs its jobs in order: when the second job runs, the task has left the actor.
        let passed = DispatchSemaphore(value: 0)
        Task.detached { await desk.signal(passed) }
        passed.wait()
        return Planted(screen) { latch.open() }
    }

    static let bufferedElement = Shape(
        "element in a stream's buffer", .held(.global("TaskShapes.stream")).giving("TaskShapes.stream")
    ) {
        let screen = DetailScreen()
        let (stream, end) = AsyncStream.makeStream(of: Screen.self)
        end.yield(Screen())
        end.yield(screen)
        Self.stream = stream
        return Planted(screen) { Self.stream = nil }
    }

    static let streamCycle = Shape(
        "task that loops over its owner's stream", .cycle(.object("Ticker"), .through("end"), .task).orMore()
    ) {
        let ticker = Ticker()
        ticker.start()
        let hidden = Hidden(ticker)
        return Planted(ticker) { hidden.object.end.finish() }
    }

    static let loopOverStream = Shape(
        "task that loops over a stream", .held(.global("TaskShapes.numbers"), .task).orMore()
    ) {
        let screen = DetailScreen()
        let (stream, end) = AsyncStream.makeStream(of: Int.self)
        startByHand {
            for await number in stream { screen.taps += number }
        }
        numbers.withLock { $0 = end }
        return Planted(screen) { endNumbers() }
    }

    static let mappedStream = Shape("operators on a stream", .held(.global("TaskShapes.numbers"), .task).orMore()) {
        let screen = DetailScreen()
        let (stream, end) = AsyncStream.makeStream(of: Int.self)
        startByHand {
            let titles = stream.filter { $0 > 0 }.map { "\($0) of \(screen.title)" }.dropFirst(2)
            for await title in titles where title.isEmpty { return }
        }
        numbers.withLock { $0 = end }
        return Planted(screen) { endNumbers() }
    }

    static let group = Shape("child task of a group", .held(.global("TaskShapes.latch"), .task).orMore()) {
        let screen = DetailScreen()
        startByHand {
            await waitInGroup(with: screen)
        }
        return Planted(screen) { latch.open() }
    }

    static let asyncLet = Shape(
        "async let", .held(.global("TaskShapes.latch"), .object("CheckedContinuation")).orMore()
    ) {
        let screen = DetailScreen()
        startByHand {
            async let taps = tapsLater(of: screen)
            _ = await taps
        }
        return Planted(screen) { latch.open() }
    }

    static let taskResult = Shape("result of a finished task", .held(.global("TaskShapes.finished"), .task)) {
        let task = Task { @ShapeActor in DetailScreen() as Screen }
        let planted = Locked<Planted?>(nil)
        startUntilItWaits {
            let screen = await task.value
            planted.withLock { $0 = Planted(screen) { finished = nil } }
        }
        finished = task
        return planted.first("the task is finished")
    }

    static let taskLocal = Shape("task-local value", .held(.global("TaskShapes.latch"), .task).orMore()) {
        let screen = DetailScreen()
        $current.withValue(screen) {
            startUntilItWaits { await latch.pass() }
        }
        return Planted(screen) { latch.open() }
    }

    static let cancellationHandler = Shape("cancellation handler", .held(.global("TaskShapes.latch"), .task).orMore()) {
        let screen = DetailScreen()
        startUntilItWaits {
            await withTaskCancellationHandler {
                await latch.pass()
            } onCancel: {
                screen.tap()
            }
        }
        return Planted(screen) { latch.open() }
    }

    static let notStarted = Shape(
        "task that has not begun",
        .held(.global("TaskShapes.executor"), .task).hinting(.runningTask, "let HandExecutor run the job")
    ) {
        let screen = DetailScreen()
        let hand = HandExecutor()
        executor = hand
        Task.detached(executorPreference: hand) { screen.tap() }
        return Planted(screen) {
            executor?.letGo()
            executor = nil
        }
    }

    static let localValue = Shape("local of an async function", .held(.global("TaskShapes.latch"), .task).orMore()) {
        let planted = Locked<Planted?>(nil)
        startUntilItWaits {
            let screen = DetailScreen()
            letBeSeen(screen)
            planted.withLock { $0 = Planted(screen) { latch.open() } }
            await latch.pass()
            screen.tap()
        }
        return planted.first("the task waits")
    }

    static let sleeping = Shape("task that sleeps", .held(.says(""), .task).orMore()) {
        let screen = DetailScreen()
        running = startByHand {
            try? await Task.sleep(for: .seconds(3600))
            screen.tap()
        }
        waitForDispatch()
        return Planted(screen) {
            running?.cancel()
            running = nil
        }
    }

    static let ownTask = Shape(
        "task in a property of what it holds",
        .cycle(.object("Loader"), .through("task"), .task).orMore()
    ) {
        let loader = Loader()
        loader.start()
        let hidden = Hidden(loader)
        return Planted(loader) { hidden.object.finish() }
    }

    private static func endNumbers() {
        numbers.withLock { end in
            end?.finish()
            end = nil
        }
    }
}

private func waitInGroup(with screen: Screen) async {
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await TaskShapes.latch.pass() }
        group.addTask {
            await TaskShapes.latch.pass()
            screen.tap()
        }
    }
}

private func tapsLater(of screen: Screen) async -> Int {
    await TaskShapes.latch.pass()
    return screen.taps
}

/// Iterates over its own stream, and therefore lives until the stream ends.
private final class Ticker: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because nothing is ever sent through the stream.
    let stream: AsyncStream<Int>
    let end: AsyncStream<Int>.Continuation
    private var ticks = 0

    init() {
        (stream, end) = AsyncStream.makeStream(of: Int.self)
        super.init()
    }

    func start() {
        startByHand {
            for await number in self.stream { self.ticks += number }
        }
    }
}

/// Retains the task that works for the loader.
private final class Loader: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the task only waits.
    var task: Task<Void, Never>?
    private let end = Locked<CheckedContinuation<Void, Never>?>(nil)

    func start() {
        task = startUntilItWaits {
            await withCheckedContinuation { continuation in self.end.withLock { $0 = continuation } }
            self.task = nil
        }
    }

    func finish() {
        end.withLock { end in
            end?.resume()
            end = nil
        }
    }
}
