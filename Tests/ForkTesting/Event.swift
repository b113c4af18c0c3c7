import Dispatch

/// A one-time event.
///
/// Once it has occurred, all waiting threads continue.
package final class Event: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func occur() {
        semaphore.signal()
    }

    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}
