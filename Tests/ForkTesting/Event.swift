import Dispatch

/// Something that can be waited for; once it has occurred, everybody goes on.
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
