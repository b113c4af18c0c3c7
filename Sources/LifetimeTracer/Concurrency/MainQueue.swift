import Dispatch

/// The queue on which the main actor runs.
package enum MainQueue {
    // On Linux the main queue may be served by any thread, so which thread it is says nothing; a value on the queue does.
    private static let mark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    /// Runs a closure of the main actor: at once where the caller is on its queue, else a moment later.
    package static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if DispatchQueue.getSpecific(key: mark) == true {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async(execute: body)
        }
    }
}
