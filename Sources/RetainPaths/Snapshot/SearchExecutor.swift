import Dispatch

/// Runs tasks on threads of Dispatch's instead of those that all tasks share.
///
/// Who waits for a search with a blocked thread may have blocked one of those; so a search must not need any of them.
package final class SearchExecutor: TaskExecutor {
    /// The one of the process.
    package static let shared = SearchExecutor()

    private let queue = DispatchQueue(label: "LifetimeTracer.searches", attributes: .concurrent)

    private init() {}

    /// Runs a job soon.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
