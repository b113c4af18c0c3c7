import LifetimeTracer
import TracerBase

/// Keeps the table of open connections, and shuts down those whose client has disconnected, is too slow, or must be
/// evicted.
///
/// libmicrohttpd measures only inactivity, so a client that sends a byte a second keeps a connection forever. It also
/// misses the end of a client that arrives together with its last bytes, and it does not watch suspended sockets. So
/// while a connection awaits a request, or a stream is open, the thread of the ``Acceptor`` checks the connections
/// every `probeInterval`. Otherwise nothing wakes that thread.
///
/// libmicrohttpd reports a closed connection before it closes the socket, and the report takes the lock. So a socket in
/// the table that libmicrohttpd has taken over cannot have been reused while the lock is held. It is therefore safe to
/// shut down.
final class ConnectionWatch: Sendable {
    private struct State: LockedState {
        var table: ConnectionTable
        /// The time of the next check; `nil` if none is due.
        var nextLook: MonotonicInstant?
        /// Whether to wake the acceptor when a connection is closed or taken over.
        var acceptorWaits = false

        /// Moves the next check forward to `moment`, unless it is due earlier; returns whether that changed anything.
        @discardableResult
        mutating func bringForward(to moment: MonotonicInstant) -> Bool {
            if let nextLook, nextLook <= moment { return false }
            nextLook = moment
            return true
        }
    }

    /// Whether the acceptor may accept, and when its next check is due.
    struct Plan {
        let mayAccept: Bool
        let nextLook: MonotonicInstant?
    }

    private let probeInterval: Duration
    private let probeNanoseconds: UInt64
    private let streams: StreamTable
    private let alarm: WakeSocket
    private let state: Locked<State>

    /// Creates a watch without connections.
    ///
    /// - Parameter alarm: Wakes the acceptor.
    init(limits: ServerLimits, probeInterval: Duration, streams: StreamTable, alarm: WakeSocket) {
        self.probeInterval = probeInterval
        probeNanoseconds = probeInterval.clampedNanoseconds
        self.streams = streams
        self.alarm = alarm
        state = Locked(State(table: ConnectionTable(limits: limits)))
    }

    // MARK: On the daemon's thread

    /// Records that libmicrohttpd has taken over a connection.
    func connectionBegins(_ descriptor: Int32) {
        changeWhatAcceptorAwaits { $0.table.serve(descriptor) }
    }

    /// Moves a connection to another phase.
    func enter(_ phase: ConnectionTable.Phase, _ descriptor: Int32, at now: MonotonicInstant = .now) {
        let isEarlier = state.withLock { state in
            guard let deadline = state.table.enter(phase, descriptor, now: now) else { return false }
            return state.bringForward(to: min(deadline, now.advanced(byNanoseconds: probeNanoseconds)))
        }
        if isEarlier { alarm.wake() }
    }

    /// Removes a connection that is about to be closed.
    func forget(_ descriptor: Int32) {
        changeWhatAcceptorAwaits { $0.table.remove(descriptor) }
    }

    /// Schedules a check after a stream was added.
    func streamWasAdded() {
        let soon = MonotonicInstant.now.advanced(by: probeInterval)
        let isEarlier = state.withLock { $0.bringForward(to: soon) }
        if isEarlier { alarm.wake() }
    }

    // MARK: On the acceptor's thread

    /// Returns whether another connection can be accepted, and when the next check is due.
    ///
    /// - Parameter wantsWakeUp: Whether the acceptor has a reason of its own to wake when a connection closes.
    func plan(wantsWakeUp: Bool) -> Plan {
        state.withLock { state in
            let mayAccept = state.table.mayAccept
            state.acceptorWaits = !mayAccept || wantsWakeUp
            return Plan(mayAccept: mayAccept, nextLook: state.nextLook)
        }
    }

    /// Decides about a new connection, and shuts down the one to evict; returns false if the new one is refused.
    func admit(_ descriptor: Int32, from client: ClientAddress?) -> Bool {
        let now = MonotonicInstant.now
        let socket = FileIdentity(of: descriptor)
        return state.withLock { state in
            let admission = state.table.admit(
                descriptor, socket: socket, client: client, now: now, sight: StreamSocket.sight)
            switch admission {
            case .refused:
                return false
            case .admitted(let evicted):
                if let evicted { StreamSocket.abort(evicted) }
                state.bringForward(to: now.advanced(by: probeInterval))
                return true
            }
        }
    }

    /// Shuts down one connection, so that its descriptor becomes free.
    func evict() {
        state.withLock { state in
            if let evicted = state.table.evict(sight: StreamSocket.sight) { StreamSocket.abort(evicted) }
        }
    }

    /// Shuts down the connections whose client has disconnected or is too slow, and closes streams whose client has
    /// disconnected.
    func look() {
        let now = MonotonicInstant.now
        state.withLock { state in
            let overdue = state.table.overdue(now: now, patience: probeInterval, sight: StreamSocket.sight)
            for descriptor in overdue { StreamSocket.abort(descriptor) }
            state.nextLook = nil
        }
        let sessions = streams.sessions
        for session in sessions { session.connection.probePeer() }
        state.withLock { state in
            guard state.table.needsLooks || !sessions.isEmpty else { return }
            state.bringForward(to: now.advanced(by: probeInterval))
            if let deadline = state.table.nextDeadline { state.bringForward(to: deadline) }
        }
    }

    /// Applies a change for which the acceptor may be waiting.
    private func changeWhatAcceptorAwaits(_ change: (inout State) -> Void) {
        let mustWake = state.withLock { state in
            change(&state)
            defer { state.acceptorWaits = false }
            return state.acceptorWaits
        }
        if mustWake { alarm.wake() }
    }
}
