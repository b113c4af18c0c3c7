#if canImport(XCTest)
import XCTest
#endif

/// Waits by blocking the calling thread.
enum BlockingWait {
    /// Blocks until a signal fires or the deadline passes.
    ///
    /// On the main thread of an XCTest test the run loop keeps running, so that work scheduled there can proceed.
    static func wait(for signal: Signal, until deadline: ContinuousClock.Instant) -> Signal.Outcome {
        #if canImport(XCTest)
        if TestFramework.current == .xcTest, Thread.isMainThread {
            let left = deadline - .now
            guard left > .zero else { return signal.waitBlocking(until: deadline) }
            let expectation = XCTestExpectation(description: "the awaited signal fires")
            signal.whenFired { expectation.fulfill() }
            _ = XCTWaiter().wait(for: [expectation], timeout: left / .seconds(1))
            return signal.waitBlocking(until: .now)
        }
        #endif
        return signal.waitBlocking(until: deadline)
    }
}
