internal import LifetimeTracer

/// Tasks that wait for a continuation that something keeps, so that only the program can end the wait.
@MainActor package enum ContinuationShapes {
    package nonisolated static let line = Line()

    package nonisolated static let calls = Calls()

    static let all = [inArray, inMethod, thatCancellationEnds, thatCancellationDoesNotEnd, besideInstance]

    private static let inArray = Shape(
        "checked continuation in an array",
        .held(.global("ContinuationShapes.line"), .task).orMore()
            .hinting(.runningTask, "created in Line.wait(isolation:). Resume the continuation when DetailScreen is no")
    ) {
        let screen = DetailScreen()
        startByHand {
            await line.wait()
            screen.tap()
        }
        return Planted(screen) { line.resume() }
    }

    private static let inMethod = Shape(
        "checked continuation for which a method waits",
        .held(.global("ContinuationShapes.line"), .task).orMore()
            .hinting(.runningTask, "Resume the continuation when Caller is no longer needed. Cancelling the Task alone")
    ) {
        let caller = Caller()
        startByHand { await caller.run(line) }
        return Planted(caller) { line.resume() }
    }

    private static let thatCancellationEnds = Shape(
        "checked continuation that the cancellation of its task resumes",
        .held(.global("ContinuationShapes.line"), .task).orMore().hinting(.runningTask, "and cancel the Task when")
    ) {
        let screen = DetailScreen()
        startByHand {
            await withTaskCancellationHandler {
                await line.wait()
            } onCancel: {
                line.resume()
            }
            screen.tap()
        }
        return Planted(screen) { line.resume() }
    }

    private static let thatCancellationDoesNotEnd = Shape(
        "checked continuation of a cancelled task whose cancellation handler does not resume it",
        .held(.global("ContinuationShapes.line"), .task).orMore()
            .hinting(.runningTask, "The Task was cancelled, which has not ended the wait.")
    ) {
        let screen = DetailScreen()
        let task = startByHand {
            await withTaskCancellationHandler {
                await line.wait()
            } onCancel: {
            }
            screen.tap()
        }
        task.cancel()
        return Planted(screen) { line.resume() }
    }

    private static let besideInstance = Shape(
        "object in a dictionary beside the continuation of the task that holds the object",
        .held(.global("ContinuationShapes.calls"), .through("pending"), .through("[\"call\"].screen")).orMore()
            .hinting(.growingContainer, "created in Calls.send(_:). Resume the continuation as well.")
    ) {
        let screen = DetailScreen()
        startByHand {
            await calls.send(screen)
            screen.tap()
        }
        return Planted(screen) { calls.resume() }
    }
}

/// Calls that wait for a reply.
package final class Calls: Sendable {
    private struct Call: LockedState {
        let screen: DetailScreen
        let reply: UnsafeContinuation<Void, Never>
    }

    private let pending = Locked<[String: Call]>([:])

    @inline(never)
    func send(_ screen: DetailScreen) async {
        await withUnsafeContinuation { reply in pending.withLock { $0["call"] = Call(screen: screen, reply: reply) } }
    }

    /// Replies to all calls.
    func resume() {
        let waiting = pending.withLock { pending in
            defer { pending = [:] }
            return Array(pending.values)
        }
        for call in waiting { call.reply.resume() }
    }
}

/// A queue of tasks that wait for their turn.
package final class Line: Sendable {
    private let waiters = Locked<[CheckedContinuation<Void, Never>]>([])

    func wait(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in waiters.withLock { $0.append(continuation) } }
    }

    /// Resumes all waiting tasks.
    func resume() {
        let waiting = waiters.withLock { waiters in
            defer { waiters = [] }
            return waiters
        }
        for waiter in waiting { waiter.resume() }
    }
}

private final class Caller: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the task of the shape uses it after it is planted.
    private var calls = 0

    func run(_ line: Line, isolation: isolated (any Actor)? = #isolation) async {
        await line.wait()
        calls += 1
    }
}
