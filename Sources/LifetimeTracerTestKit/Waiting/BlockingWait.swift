#if canImport(XCTest)
import XCTest
#endif

/// Waits on a thread that has nothing better to do.
enum BlockingWait {
    /// Waits for a signal, at most to a point in time.
    ///
    /// On the main thread of an XCTest test the run loop goes on meanwhile, so that what has to happen there can.
    static func wait(for signal: Signal, until deadline: ContinuousClock.Instant) -> Signal.Outcome {
        #if canImport(XCTest)
        if TestFramework.current == .xcTest, Thread.isMainThread {
            let left = deadline - .now
            guard left > .zero else { return signal.waitBlocking(until: deadline) }
            let expectation = XCTestExpectation(description: "something is gone")
            signal.whenFired { expectation.fulfill() }
            _ = XCTWaiter().wait(for: [expectation], timeout: left / .seconds(1))
            return signal.waitBlocking(until: .now)
        }
        #endif
        return signal.waitBlocking(until: deadline)
    }
}
