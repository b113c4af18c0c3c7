import Dispatch

/// Something that can be waited for; once it has occurred, everybody goes on.
final class Event: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func occur() {
        semaphore.signal()
    }

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}
