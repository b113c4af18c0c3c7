import Foundation

/// Work that runs on its own thread until `join()`.
final class BackgroundWork: Sendable {
    private let isDone = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [isDone] in
            work()
            isDone.signal()
        }
    }

    /// Returns when the work is done.
    func join() {
        isDone.wait()
    }
}
