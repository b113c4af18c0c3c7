package import LifetimeTracer
internal import RetainShapesNeighbour

/// Tasks that await a continuation, a stream or an actor.
@MainActor package enum TaskStateShapes {
    package nonisolated static let latch = Latch()
    package nonisolated static let waiters = Locked<[String: UnsafeContinuation<Void, Never>]>([:])
    package static var stream: AsyncStream<Int>?
    package static var ending: AsyncStream<Int>.Continuation?
    package static var throwing: AsyncThrowingStream<Screen, any Error>?
    package static var clerk: Clerk?

    /// An actor that runs one job after the other.
    package actor Clerk {
        package init() {}

        package func hold(until latch: Latch) async { await latch.pass() }
        package func serve(_ screen: Screen) { screen.tap() }
        package func rest() async { try? await Task.sleep(for: .seconds(3600)) }
    }

    static let all = [
        namedContinuation, lostContinuation, lostInFunction, lostInOwnTask, streamOfStatic, onTermination,
        throwingBuffer, awaitsActor, ownStream, awaitsLost,
    ]

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

    private static let awaitsLost = Shape(
        "task that awaits a task whose continuation nobody keeps",
        .leakedByCycle(.closure("awaitsLost"), .task, .task).orMore().hinting(
            .lostContinuation,
            "awaits a Task that waits for a continuation that was never resumed, created in loseReply")
    ) {
        let screen = DetailScreen()
        let word = Locked<UInt>(0)
        let reply = startByHand { await loseReply(word) }
        startByHand {
            await reply.value
            screen.tap()
        }
        return Planted(screen) {
            unsafeBitCast(~word.withLock { $0 }, to: UnsafeContinuation<Void, Never>.self).resume()
        }
    }

    private static let lostInOwnTask = Shape(
        "continuation that nobody keeps, of the task of its owner",
        .cycle(.object("Waiter"), .through("task"), .task).orMore()
            .hinting(.lostContinuation, "never resumed, created in closure #1 in Waiter.waitForEver()")
    ) {
        let waiter = Waiter()
        waiter.waitForEver()
        let hidden = Hidden(waiter)
        return Planted(waiter) { hidden.object.resume() }
    }

    private static let ownStream = Shape(
        "loop over a stream of which its owner has the other end",
        .cycle(.object("Waiter"), .through("task"), .task).orMore()
            .hinting(.lostContinuation, "waits for the next element of a stream that nobody finishes")
    ) {
        let waiter = Waiter()
        waiter.readForEver()
        let hidden = Hidden(waiter)
        return Planted(waiter) { hidden.object.finish() }
    }

    private static let streamOfStatic = Shape(
        "loop over a stream of which a variable has the other end",
        .held(.global("TaskStateShapes.ending"), .task).orMore().hinting(.runningTask, "cancel the Task")
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

/// Waits in a task for a reply that never comes.
private final class Waiter: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread and the waiter's task use it.
    private var task: Task<Void, Never>?
    private var word: UInt = 0
    private var end: AsyncStream<Int>.Continuation?
    private var sum = 0

    func waitForEver() {
        task = startByHand {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                self.word = ~unsafeBitCast(continuation, to: UInt.self)
            }
            self.task = nil
        }
    }

    /// Reads a stream that only the waiter itself can finish.
    func readForEver() {
        let (stream, end) = AsyncStream.makeStream(of: Int.self)
        self.end = end
        task = startByHand {
            for await number in stream { self.sum += number }
            self.end = nil
            self.task = nil
        }
    }

    func finish() { end?.finish() }

    func resume() { unsafeBitCast(~word, to: UnsafeContinuation<Void, Never>.self).resume() }
}
