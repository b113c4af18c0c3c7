import Foundation
internal import LifetimeTracer

/// A thread that runs a run loop until the program ends.
///
/// `@unchecked Sendable` is safe because the run loop is set before another thread can reach it. Afterwards other
/// threads only call `perform` on it, which locks.
package final class RunLoopThread: @unchecked Sendable {
    private let runLoop: RunLoop
    private let isRunningOnDemand = Locked(false)
    /// A mode in which the loop runs only on request.
    private static let onDemand = RunLoop.Mode("shapes.onDemand")
    private static let key = "shapes.screen"

    init() {
        let found = Locked<Found?>(nil)
        Thread.detachNewThread { [isRunningOnDemand] in
            // Without a timer or source, the run loop would return immediately.
            let idle = Timer(timeInterval: 3600, repeats: true) { _ in }
            RunLoop.current.add(idle, forMode: .default)
            RunLoop.current.add(idle, forMode: Self.onDemand)
            found.withLock { $0 = Found(runLoop: RunLoop.current) }
            // A block from another thread does not wake the loop, so the loop runs for short intervals.
            while RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02)) {
                guard isRunningOnDemand.withLock({ $0 }) else { continue }
                _ = RunLoop.current.run(mode: Self.onDemand, before: Date(timeIntervalSinceNow: 0.001))
                isRunningOnDemand.withLock { $0 = false }
            }
        }
        runLoop = found.first("the run loop runs").runLoop
    }

    // `@unchecked Sendable` is safe for the reason stated for `RunLoopThread`.
    private struct Found: @unchecked Sendable, LockedState {
        let runLoop: RunLoop
    }

    // `@unchecked Sendable` is safe because the timer is passed to the loop's thread before any other use.
    private struct Passed: @unchecked Sendable {
        let timer: Timer
    }

    func add(_ timer: Timer) {
        let passed = Passed(timer: timer)
        perform { RunLoop.current.add(passed.timer, forMode: .default) }
    }

    /// Fires a timer for the last time.
    func fireLast(_ timer: Hidden<Timer>) {
        perform {
            timer.object.fire()
            timer.object.invalidate()
        }
    }

    /// Enqueues a block in the loop that captures a screen.
    func add(blockOf screen: Screen) {
        runLoop.perform(inModes: [Self.onDemand]) { screen.tap() }
    }

    /// Runs the enqueued blocks.
    func runBlocks() {
        isRunningOnDemand.withLock { $0 = true }
        waitUntil("the loop has run its blocks") { !isRunningOnDemand.withLock { $0 } }
    }

    func remember(_ screen: Screen) {
        perform { Thread.current.threadDictionary[Self.key] = screen }
    }

    func forget() {
        perform { Thread.current.threadDictionary.removeObject(forKey: Self.key) }
    }

    /// Runs a body on the loop, and returns when the loop has released it.
    private func perform(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        runLoop.perform {
            body()
            done.signal()
        }
        done.wait()
        // The loop frees a block before it runs the next one.
        runLoop.perform { done.signal() }
        done.wait()
    }
}
