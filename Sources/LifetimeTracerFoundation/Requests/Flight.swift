import Foundation
import LifetimeTracer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The task behind a request's token, while the request is in flight.
///
/// The reference to the task ends with the task, so that token and task do not retain each other forever.
final class Flight: Sendable {
    private enum State: LockedState {
        case preparing
        case flying(URLSessionDataTask)
        case over
    }

    private let state = Locked(State.preparing)

    /// Starts the task.
    func begin(_ task: URLSessionDataTask) {
        state.withLock { $0 = .flying(task) }
        task.resume()
    }

    /// Records that the task has completed, so that it is no longer cancelled.
    func end() {
        state.withLock { $0 = .over }
    }

    /// Cancels the task, unless it has completed.
    func cancel() {
        let task = state.withLock { state -> URLSessionDataTask? in
            defer { state = .over }
            guard case .flying(let task) = state else { return nil }
            return task
        }
        task?.cancel()
    }
}
