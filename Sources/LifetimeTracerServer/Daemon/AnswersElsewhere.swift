import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard
import TracerBase

/// Makes long answers on a thread of their own, one after the other, while the daemon's thread serves other clients.
final class AnswersElsewhere: Sendable {
    /// An answer that is being made; the connection of its request is suspended meanwhile.
    final class Delayed: Sendable {
        let connection: SuspendableConnection
        private let made = Locked(Made())

        private struct Made: LockedState {
            var response: HTTPResponse?
        }

        fileprivate init(_ connection: SuspendableConnection) {
            self.connection = connection
        }

        /// The answer, once it is made.
        var response: HTTPResponse? { made.withLock { $0.response } }

        fileprivate func complete(_ response: HTTPResponse) {
            made.withLock { $0.response = response }
            connection.wake()
        }
    }

    private struct State: LockedState {
        var isClosed = false
    }

    private let state = Locked(State())
    private let pending = DispatchGroup()
    private let queue = DispatchQueue(label: "tracer-answers", qos: .utility)

    /// Begins to make an answer, and suspends the connection until it is made.
    ///
    /// Called on the daemon's thread. The caller answers by itself if this returns `nil`: while the server stops, or if
    /// a thread could take memory that the program needs.
    func begin(_ connection: SuspendableConnection, _ make: @escaping @Sendable () -> HTTPResponse) -> Delayed? {
        guard !ProcessLimits.isMemoryLimited else { return nil }
        let mayBegin = state.withLock { state in
            guard !state.isClosed else { return false }
            pending.enter()
            return true
        }
        guard mayBegin else { return nil }
        let delayed = Delayed(connection)
        _ = connection.willRead()
        connection.suspend()
        queue.async { [pending] in
            delayed.complete(make())
            pending.leave()
        }
        return delayed
    }

    /// Lets no further answer begin, and waits for those that are being made.
    ///
    /// libmicrohttpd aborts the program if it stops while a connection is suspended.
    func close() {
        state.withLock { $0.isClosed = true }
        pending.wait()
    }
}
