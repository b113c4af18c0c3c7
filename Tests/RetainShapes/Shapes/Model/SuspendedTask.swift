import Dispatch
internal import LifetimeTracer

/// Where the tasks of the shapes run, one after the other.
@globalActor actor ShapeActor {
    static let shared = ShapeActor()
}

/// Starts a task, and returns when it waits for something.
///
/// What the body waits for must not leave the actor, as the streams of the standard library do: it may still be on its way then.
@discardableResult
func startUntilItWaits<Value: Sendable>(
    _ body: @escaping @ShapeActor @Sendable () async -> Value
) -> Task<Value, Never> {
    let task = Task { @ShapeActor in await body() }
    // The actor takes its jobs in order: when it comes to this one, the body has let go of it.
    let passed = DispatchSemaphore(value: 0)
    Task { @ShapeActor in passed.signal() }
    passed.wait()
    return task
}

/// Lets tasks wait until it is opened.
package final class Gate: Sendable {
    private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

    /// How many wait.
    var count: Int { waiting.withLock { $0.count } }

    /// Waits until the gate is opened.
    func pass(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }

    /// Lets all pass that wait.
    func open() {
        let passing = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in passing { continuation.resume() }
    }
}
