import CMicroHTTPD
import LifetimeTracer
import LifetimeTracerDashboard

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Puts one connection to sleep and wakes it, and never loses a wake-up in between.
///
/// A connection is suspended by the daemon's thread and resumed from any thread. libmicrohttpd must be told to resume
/// only what is suspended (a resume too many would make it ignore the next suspension) and nothing that is gone; so
/// both calls are made while the lock is held. They only take libmicrohttpd's own short lock, under which it never
/// calls us.
///
/// In a child of `fork` it does nothing: the connection is the parent's, and so is the socket by which libmicrohttpd wakes
/// its thread.
///
/// `@unchecked Sendable` is safe because `connection` is used only while `over` is false, and libmicrohttpd keeps it
/// until after ``finish()``.
final class ConnectionGate: @unchecked Sendable {
    private struct State: LockedState {
        var suspended = false
        var wakeIsPending = false
        var closing: StreamEnd?
        var over = false
    }

    private let connection: OpaquePointer
    private let descriptor: Int32
    private let process = ForkGeneration.current
    private let state = Locked(State())

    /// Creates the gate of a connection that is not suspended.
    init(connection: OpaquePointer) {
        self.connection = connection
        descriptor = tracer_mhd_descriptor(connection)
    }

    /// Resumes the connection, or sees to it that its next suspension ends at once.
    ///
    /// From any thread, at any time.
    func wake() {
        state.withLock { state in
            guard !state.over else { return }
            if !resume(&state) { state.wakeIsPending = true }
        }
    }

    /// Before the stream is asked for bytes: from here on a wake-up counts.
    ///
    /// Returns why there is nothing to ask any more.
    func willRead() -> StreamEnd? {
        state.withLock { state in
            state.wakeIsPending = false
            return state.closing
        }
    }

    /// Puts the connection to sleep until ``wake()``; only a moment if that was called since ``willRead()``.
    ///
    /// On the daemon's thread, in the callback that fetches bytes.
    func suspend() {
        state.withLock { state in
            MHD_suspend_connection(connection)
            state.suspended = true
            // Resuming by way of the daemon's loop, instead of asking the stream again here, lets the others have their
            // turn when a stream wakes itself all the time.
            if state.wakeIsPending || state.closing != nil { resume(&state) }
        }
    }

    /// Lets the connection end at the next opportunity.
    ///
    /// The first reason stays.
    func close(_ reason: StreamEnd) {
        state.withLock { state in
            guard !state.over, state.closing == nil else { return }
            state.closing = reason
            resume(&state)
        }
    }

    /// Closes the connection if it sleeps and its peer has gone, which libmicrohttpd does not see.
    func probePeer() {
        state.withLock { state in
            // A suspended connection is not closed by libmicrohttpd, so the descriptor is ours to look at.
            guard state.suspended, state.closing == nil, Self.peerIsGone(descriptor) else { return }
            state.closing = .disconnected
            resume(&state)
        }
    }

    /// The connection is about to go.
    ///
    /// Returns the reason given to ``close(_:)`` or found by ``probePeer()``.
    func finish() -> StreamEnd? {
        state.withLock { state in
            state.over = true
            return state.closing
        }
    }

    @discardableResult
    private func resume(_ state: inout State) -> Bool {
        guard state.suspended, process == .current else { return false }
        state.suspended = false
        state.wakeIsPending = false
        MHD_resume_connection(connection)
        return true
    }

    #if os(Linux)
    /// `POLLRDHUP`, which the headers show only to those who ask for GNU extensions.
    private static let peerHasShutDown = Int16(0x2000)
    #endif

    private static func peerIsGone(_ descriptor: Int32) -> Bool {
        #if os(Linux)
        // Sees the end even behind bytes that nobody has read.
        var polled = pollfd(fd: descriptor, events: Self.peerHasShutDown, revents: 0)
        return poll(&polled, 1, 0) == 1
        #else
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT)
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
        #endif
    }
}
