import Foundation
import LifetimeTracer

/// A thread that runs a run loop.
///
/// `@unchecked Sendable` is safe because the run loop is set before anybody can reach it and is only asked to perform blocks,
/// which it locks for.
final class RunLoopThread: @unchecked Sendable {
    private let isStopping = Locked(false)
    private let runLoop: RunLoop

    init() {
        let started = DispatchSemaphore(value: 0)
        let found = Locked<Found?>(nil)
        let isStopping = isStopping
        let thread = Thread {
            // A source of its own keeps the run loop from returning at once.
            let idle = Timer(timeInterval: 3600, repeats: true) { _ in }
            RunLoop.current.add(idle, forMode: .default)
            found.withLock { $0 = Found(runLoop: RunLoop.current) }
            started.signal()
            while !isStopping.withLock({ $0 }) {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
            }
        }
        thread.start()
        started.wait()
        runLoop = found.withLock { $0?.runLoop } ?? .main
    }

    // Safe for the reason given above.
    private struct Found: @unchecked Sendable, LockedState {
        let runLoop: RunLoop
    }

    func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            runLoop.perform { continuation.resume(returning: body()) }
        }
    }

    func stop() {
        isStopping.withLock { $0 = true }
    }
}
