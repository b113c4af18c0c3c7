import Dispatch
import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Cuts connections whose request does not arrive in time, and finds streams whose peer has gone.
///
/// libmicrohttpd measures inactivity only, so a byte a second keeps a connection for ever; and it does not watch
/// suspended sockets. Both need a look now and then from outside its thread. The look-out is one thread for the life of
/// the server and not one for each time that there is something to watch: then no thread has to be started, which can
/// fail, when it is too late to say so. It sleeps without a timeout while no connection is open, until the earliest
/// deadline while there are connections, and wakes once every `probeInterval` only while there are streams.
final class ConnectionWatch: Sendable {
    private struct State: LockedState {
        /// By socket: since when a request is awaited.
        ///
        /// libmicrohttpd reports a connection closed before it closes the socket, so no number in here can have been
        /// given to another file.
        var awaiting: [Int32: MonotonicInstant] = [:]
        /// When the sleeping thread looks next; `nil` when it must be woken, or is awake and about to plan anew.
        var nextLook: MonotonicInstant?
        var isStopping = false
    }

    private let requestDeadline: Duration
    private let probeInterval: Duration
    private let streams: StreamTable
    private let state = Locked(State())
    private let alarm = DispatchSemaphore(value: 0)

    /// Creates a watch that does nothing until ``run()``.
    init(requestDeadline: Duration, probeInterval: Duration, streams: StreamTable) {
        self.requestDeadline = requestDeadline
        self.probeInterval = probeInterval
        self.streams = streams
    }

    /// From now on a request is due on that socket.
    func awaitRequest(_ descriptor: Int32) {
        let now = MonotonicInstant.now
        let mustWake = state.withLock { state in
            state.awaiting[descriptor] = now
            // Every deadline is the same time away, so a new one is never the earliest.
            return state.nextLook == nil
        }
        if mustWake { alarm.signal() }
    }

    /// The request has arrived, or the connection is about to be closed.
    func forget(_ descriptor: Int32) {
        _ = state.withLock { $0.awaiting.removeValue(forKey: descriptor) }
    }

    /// There is a stream more.
    func streamWasAdded() {
        let soon = MonotonicInstant.now.advanced(by: probeInterval)
        let mustWake = state.withLock { $0.nextLook.map { soon < $0 } ?? true }
        if mustWake { alarm.signal() }
    }

    /// Ends ``run()``.
    func stop() {
        state.withLock { $0.isStopping = true }
        alarm.signal()
    }

    /// Watches until ``stop()``.
    func run() {
        while let sleep = planSleep() {
            switch sleep {
            case .untilWoken: alarm.wait()
            case .until(let moment): _ = alarm.wait(timeout: moment.dispatchTime)
            }
            cutOverdueRequests()
            for session in streams.sessions { session.gate.probePeer() }
        }
    }

    private enum Sleep {
        case untilWoken
        case until(MonotonicInstant)
    }

    private func planSleep() -> Sleep? {
        let hasStreams = !streams.isEmpty
        let now = MonotonicInstant.now
        return state.withLock { state in
            if state.isStopping { return nil }
            var next = state.awaiting.values.min()?.advanced(by: requestDeadline)
            if hasStreams {
                let probe = now.advanced(by: probeInterval)
                next = next.map { min($0, probe) } ?? probe
            }
            state.nextLook = next
            return next.map { .until($0) } ?? .untilWoken
        }
    }

    private func cutOverdueRequests() {
        let now = MonotonicInstant.now
        state.withLock { state in
            state.nextLook = nil
            for (descriptor, since) in state.awaiting where since.advanced(by: requestDeadline) <= now {
                // Under the lock, because the socket is ours only while it is in the table. The call does not block;
                // the daemon sees the end of the connection and closes it.
                shutdown(descriptor, Int32(SHUT_RDWR))
                state.awaiting[descriptor] = nil
            }
        }
    }
}
