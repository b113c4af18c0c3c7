import Dispatch

/// Access to the queue on which the main actor runs.
package enum MainQueue {
    // On Linux any thread may serve the main queue, so the identity of the thread tells nothing; a value on the queue
    // does.
    private static let mark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    /// Runs a closure of the main actor: at once if the caller is on the main queue, and otherwise later on that queue.
    package static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if DispatchQueue.getSpecific(key: mark) == true {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async(execute: body)
        }
    }
}
