import LifetimeTracer

/// Knows the open connections, and shuts down those whose client has gone, is too slow or has to give way.
///
/// libmicrohttpd measures inactivity only, so a byte a second keeps a connection for ever; it does not see the end of a
/// client whose last bytes came with it, and it does not watch suspended sockets. So while a request is awaited on a
/// connection, or a stream is open, the connections are looked at once every `probeInterval`; otherwise nothing wakes
/// the thread of the ``Acceptor``, which does the looking.
///
/// libmicrohttpd reports a connection closed before it closes the socket, and the report takes the lock. So a socket
/// that is in the table, and was taken over by libmicrohttpd, has not been given to another file, and may be shut down
/// while the lock is held.
final class ConnectionWatch: Sendable {
    private struct State: LockedState {
        var table: ConnectionTable
        /// When the connections are to be looked at; `nil` when there is nothing to look at.
        var nextLook: MonotonicInstant?
        /// Whether the acceptor is to be woken when a connection was closed or taken over.
        var acceptorWaits = false

        /// Has the next look taken at that moment, unless it is due earlier; whether that changed anything.
        @discardableResult
        mutating func bringForward(to moment: MonotonicInstant) -> Bool {
            if let nextLook, nextLook <= moment { return false }
            nextLook = moment
            return true
        }
    }

    /// What the acceptor may do, and until when it may sleep.
    struct Plan {
        let mayAccept: Bool
        let nextLook: MonotonicInstant?
    }

    private let probeInterval: Duration
    private let streams: StreamTable
    private let alarm: WakeSocket
    private let state: Locked<State>

    /// Creates a watch over no connection.
    ///
    /// - Parameter alarm: Wakes the acceptor.
    init(limits: ServerLimits, probeInterval: Duration, streams: StreamTable, alarm: WakeSocket) {
        self.probeInterval = probeInterval
        self.streams = streams
        self.alarm = alarm
        state = Locked(State(table: ConnectionTable(limits: limits)))
    }

    // MARK: On the daemon's thread

    /// libmicrohttpd has taken a connection over.
    func connectionBegins(_ descriptor: Int32) {
        changeWhatAcceptorAwaits { $0.table.serve(descriptor) }
    }

    /// A connection goes on to another phase.
    func enter(_ phase: ConnectionTable.Phase, _ descriptor: Int32) {
        let now = MonotonicInstant.now
        let isEarlier = state.withLock { state in
            guard let deadline = state.table.enter(phase, descriptor, now: now) else { return false }
            return state.bringForward(to: min(deadline, now.advanced(by: probeInterval)))
        }
        if isEarlier { alarm.wake() }
    }

    /// A connection is about to be closed.
    func forget(_ descriptor: Int32) {
        changeWhatAcceptorAwaits { $0.table.remove(descriptor) }
    }

    /// There is a stream more.
    func streamWasAdded() {
        let soon = MonotonicInstant.now.advanced(by: probeInterval)
        let isEarlier = state.withLock { $0.bringForward(to: soon) }
        if isEarlier { alarm.wake() }
    }

    // MARK: On the acceptor's thread

    /// Whether another connection can be taken, and when to look at those that there are.
    ///
    /// - Parameter wantsWakeUp: Whether the acceptor waits for a connection to be closed for a reason of its own.
    func plan(wantsWakeUp: Bool) -> Plan {
        state.withLock { state in
            let mayAccept = state.table.mayAccept
            state.acceptorWaits = !mayAccept || wantsWakeUp
            return Plan(mayAccept: mayAccept, nextLook: state.nextLook)
        }
    }

    /// Decides about a new connection, and shuts down the one that has to give way; false if the new one is refused.
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

    /// Shuts one connection down, so that its descriptor becomes free.
    func evict() {
        state.withLock { state in
            if let evicted = state.table.evict(sight: StreamSocket.sight) { StreamSocket.abort(evicted) }
        }
    }

    /// Shuts down the connections whose client has gone or is too slow, and closes streams whose client has gone.
    func look() {
        let now = MonotonicInstant.now
        state.withLock { state in
            let overdue = state.table.overdue(now: now, patience: probeInterval, sight: StreamSocket.sight)
            for descriptor in overdue { StreamSocket.abort(descriptor) }
            state.nextLook = nil
        }
        let sessions = streams.sessions
        for session in sessions { session.gate.probePeer() }
        state.withLock { state in
            guard state.table.needsLooks || !sessions.isEmpty else { return }
            state.bringForward(to: now.advanced(by: probeInterval))
            if let deadline = state.table.nextDeadline { state.bringForward(to: deadline) }
        }
    }

    /// Makes a change that the acceptor may be waiting for.
    private func changeWhatAcceptorAwaits(_ change: (inout State) -> Void) {
        let mustWake = state.withLock { state in
            change(&state)
            defer { state.acceptorWaits = false }
            return state.acceptorWaits
        }
        if mustWake { alarm.wake() }
    }
}
