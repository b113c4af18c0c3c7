import Dispatch
import LifetimeTracer

/// The open streams, up to a limit.
final class StreamTable: Sendable {
    private struct State: LockedState {
        var sessions: [ObjectIdentifier: StreamSession] = [:]
        var isClosed = false
    }

    /// The reason why a stream was not admitted.
    enum Refusal {
        case tooMany
        case closed
    }

    private let limit: Int
    private let state = Locked(State())
    private let open = DispatchGroup()

    /// Creates an empty table.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether ``closeAll()`` was called.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether no stream is open.
    var isEmpty: Bool { state.withLock { $0.sessions.isEmpty } }

    /// All open streams.
    var sessions: [StreamSession] { state.withLock { Array($0.sessions.values) } }

    /// Adds a stream until ``remove(_:)``; returns the reason if the stream is refused.
    func admit(_ session: StreamSession) -> Refusal? {
        state.withLock { state in
            if state.isClosed { return .closed }
            guard state.sessions.count < limit else { return .tooMany }
            state.sessions[ObjectIdentifier(session)] = session
            open.enter()
            return nil
        }
    }

    /// Removes a stream that is over.
    func remove(_ session: StreamSession) {
        let wasOpen = state.withLock { $0.sessions.removeValue(forKey: ObjectIdentifier(session)) != nil }
        if wasOpen { open.leave() }
    }

    /// Admits no more streams and asks the open ones to end.
    func closeAll() {
        let sessions = state.withLock { state in
            state.isClosed = true
            return Array(state.sessions.values)
        }
        for session in sessions { session.connection.close(.serverStopped) }
    }

    /// Waits until no stream is open, or a timeout.
    func waitUntilEmpty(atMost time: Duration) {
        _ = open.wait(timeout: .now() + .nanoseconds(Int(clamping: time.clampedNanoseconds)))
    }
}
