internal import LifetimeTracer

/// Tasks that wait for a continuation that something keeps, so that only the program can end the wait.
@MainActor package enum ContinuationShapes {
    package nonisolated static let line = Line()

    static let all = [inArray, inMethod, thatCancellationEnds]

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
