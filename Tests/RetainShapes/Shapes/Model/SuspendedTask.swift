import Dispatch
internal import LifetimeTracer

/// The actor that runs the tasks of the shapes, one after the other.
@globalActor actor ShapeActor {
    static let shared = ShapeActor()
}

/// Starts a task, and returns when the task is suspended.
///
/// The body must not leave the actor, for example to read a stream of the standard library. Otherwise it may still be
/// running when this function returns.
@discardableResult
func startUntilItWaits<Value: Sendable>(
    _ body: @escaping @ShapeActor @Sendable () async -> Value
) -> Task<Value, Never> {
    let task = Task { @ShapeActor in await body() }
    // The actor runs its jobs in order: when the second job runs, the body has been suspended or has ended.
    let passed = DispatchSemaphore(value: 0)
    Task { @ShapeActor in passed.signal() }
    passed.wait()
    return task
}

/// A latch at which tasks wait until it is opened.
package final class Latch: Sendable {
    private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

    /// The number of waiting tasks.
    var count: Int { waiting.withLock { $0.count } }

    /// Waits until the latch is opened.
    func pass(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }

    /// Resumes all waiting tasks.
    func open() {
        let passing = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in passing { continuation.resume() }
    }
}
