import CTracerMicroHTTPD
import LifetimeTracer
import LifetimeTracerDashboard

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Suspends and resumes one connection without losing a wake-up in between.
///
/// The daemon's thread suspends the connection; any thread may resume it. libmicrohttpd must be told to resume only a
/// connection that is suspended and still exists: an extra resume would make it ignore the next suspension. So both
/// calls are made while the lock is held. They take only libmicrohttpd's own short lock, under which it never calls
/// back.
///
/// In a fork child this class does nothing: the connection belongs to the parent, and so does the socket by which
/// libmicrohttpd wakes its thread. It also does nothing after the program has closed the server's descriptors.
///
/// `@unchecked Sendable` is safe because `connection` is used only while `over` is false, and libmicrohttpd keeps it
/// until after ``finish()``.
final class SuspendableConnection: @unchecked Sendable {
    private struct State: LockedState {
        var suspended = false
        var wakeIsPending = false
        var closing: StreamEnd?
        var over = false
    }

    private let connection: OpaquePointer
    private let descriptor: Int32
    private let loss: DescriptorLoss
    private let process = ForkGeneration.current
    private let state = Locked(State())

    /// Creates the handle of a connection that is not suspended.
    init(connection: OpaquePointer, loss: DescriptorLoss) {
        self.connection = connection
        self.loss = loss
        descriptor = lt_mhd_descriptor(connection)
    }

    /// Resumes the connection, or makes its next suspension end at once.
    ///
    /// Can be called on any thread at any time.
    func wake() {
        state.withLock { state in
            guard !state.over else { return }
            if !resume(&state) { state.wakeIsPending = true }
        }
    }

    /// Called before the stream is asked for bytes; wake-ups count from here on.
    ///
    /// - Returns: The reason why the stream has to end, or `nil` if it goes on.
    func willRead() -> StreamEnd? {
        state.withLock { state in
            state.wakeIsPending = false
            return state.closing
        }
    }

    /// Suspends the connection until ``wake()``, or only for a moment if ``wake()`` was called since ``willRead()``.
    ///
    /// Must be called on the daemon's thread, in the callback that fetches bytes.
    func suspend() {
        state.withLock { state in
            MHD_suspend_connection(connection)
            state.suspended = true
            // Resuming through the daemon's loop, instead of asking the stream again here, gives other connections
            // their turn when a stream wakes itself all the time.
            if state.wakeIsPending || state.closing != nil { resume(&state) }
        }
    }

    /// Ends the connection at the next opportunity.
    ///
    /// The first reason wins.
    func close(_ reason: StreamEnd) {
        state.withLock { state in
            guard !state.over, state.closing == nil else { return }
            state.closing = reason
            resume(&state)
        }
    }

    /// Closes the connection if it is suspended and its peer has disconnected, which libmicrohttpd does not notice.
    func probePeer() {
        state.withLock { state in
            // libmicrohttpd does not close a suspended connection, so reading the descriptor is safe.
            guard state.suspended, state.closing == nil, Self.peerIsGone(descriptor) else { return }
            state.closing = .disconnected
            resume(&state)
        }
    }

    /// Records that the connection is about to end.
    ///
    /// - Returns: The reason given to ``close(_:)`` or found by ``probePeer()``.
    func finish() -> StreamEnd? {
        state.withLock { state in
            state.over = true
            return state.closing
        }
    }

    @discardableResult
    private func resume(_ state: inout State) -> Bool {
        guard state.suspended, process == .current, !loss.isNoticed else { return false }
        state.suspended = false
        state.wakeIsPending = false
        MHD_resume_connection(connection)
        return true
    }

    #if os(Linux)
    /// `POLLRDHUP`, which the headers define only with GNU extensions.
    private static let peerHasShutDown = Int16(0x2000)
    #endif

    private static func peerIsGone(_ descriptor: Int32) -> Bool {
        #if os(Linux)
        // Detects the end of the peer even if unread bytes are queued before it.
        var polled = pollfd(fd: descriptor, events: Self.peerHasShutDown, revents: 0)
        return poll(&polled, 1, 0) == 1
        #else
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT)
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
        #endif
    }
}
