import Foundation
import LifetimeTracer

/// A thread that runs a run loop.
///
/// `@unchecked Sendable` is safe because the run loop is set before another thread can reach it. Afterwards other
/// threads only call `perform` on it, which locks.
final class RunLoopThread: @unchecked Sendable {
    private let isStopping = Locked(false)
    private let runLoop: RunLoop

    init() {
        let started = DispatchSemaphore(value: 0)
        let found = Locked<Found?>(nil)
        let isStopping = isStopping
        let thread = Thread {
            // Without a timer or source, the run loop would return immediately.
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

    // `@unchecked Sendable` is safe for the reason stated for `RunLoopThread`.
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
