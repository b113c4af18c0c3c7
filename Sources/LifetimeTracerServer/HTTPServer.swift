import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard

/// Serves a function from request to response over HTTP/1.1.
///
/// The server owns the sockets, limits, streams and shutdown, and is independent of the content that it serves. It runs
/// until ``stop()``, even if nothing references it.
///
/// In a fork child the server counts as stopped, whatever its state in the parent, and can be started. The child has
/// none of the server's threads, and the sockets and connections belong to the parent.
package final class HTTPServer: LockedState {
    private enum Phase: Sendable {
        case stopped
        case starting
        case running(RunningDaemon)
        case stopping(DispatchGroup)
    }

    private struct State: LockedState {
        var phase = Phase.stopped
        /// The process that entered the phase.
        var process = ForkGeneration.current

        /// The phase in this process.
        mutating func currentPhase() -> Phase {
            if process != .current { enter(.stopped) }
            return phase
        }

        mutating func enter(_ next: Phase) {
            phase = next
            process = .current
        }
    }

    private let configuration: ServerConfiguration
    private let makeHandler: @Sendable () -> Answering
    private let state = Locked(State())

    /// Creates a server that is not running.
    ///
    /// Each stream that the handler returns gets ``ResponseStream/closed(_:)`` exactly once, even a stream that never
    /// starts. The reason is `completed` if only the head was requested, and otherwise `disconnected` or
    /// `serverStopped`.
    package convenience init(configuration: ServerConfiguration, handler: @escaping RequestHandler) {
        self.init(configuration: configuration, makingHandler: { Answering(handler) })
    }

    /// Creates a server that makes its handler at each start, once the address is known to be free.
    ///
    /// For handlers whose creation has side effects.
    package init(configuration: ServerConfiguration, makingHandler: @escaping @Sendable () -> Answering) {
        self.configuration = configuration
        makeHandler = makingHandler
    }

    /// The listening address, with the port that was picked; `nil` while the server is not running.
    package var address: ListenAddress? {
        state.withLock { state in
            if case .running(let daemon) = state.currentPhase() { daemon.address } else { nil }
        }
    }

    /// Starts the server.
    ///
    /// A stopped server can be started again.
    ///
    /// - Throws: ``ServerError`` with the address, the system's error and a remedy.
    package func start() throws(ServerError) {
        let mayStart = state.withLock { state in
            guard case .stopped = state.currentPhase() else { return false }
            state.enter(.starting)
            return true
        }
        guard mayStart else {
            throw ServerError(
                .alreadyRunning,
                "the server for \(configuration.address) is running, or another thread is starting or stopping it",
                hint: "stop that server first")
        }
        do throws(ServerError) {
            let daemon = try RunningDaemon(configuration, makingHandler: makeHandler)
            state.withLock { $0.enter(.running(daemon)) }
        } catch {
            state.withLock { $0.enter(.stopped) }
            throw error
        }
    }

    /// Stops the server: ends all streams and connections, and returns when both threads have ended and the socket is
    /// closed.
    ///
    /// Streams get ``ServerConfiguration/streamGrace`` for an orderly end. Does nothing if the server is not running;
    /// concurrent callers all return when the server has stopped. Neither the handler nor a stream may call this
    /// method.
    package func stop() {
        let done = DispatchGroup()
        done.enter()
        let (mine, others) = state.withLock { state -> (RunningDaemon?, DispatchGroup?) in
            switch state.currentPhase() {
            case .stopped, .starting:
                return (nil, nil)
            case .stopping(let group):
                return (nil, group)
            case .running(let daemon):
                state.enter(.stopping(done))
                return (daemon, nil)
            }
        }
        if let mine {
            mine.stop()
            state.withLock { $0.enter(.stopped) }
        }
        done.leave()
        others?.wait()
    }

    /// Removes the file of a Unix socket; the server keeps running.
    func removeSocketFile() {
        state.withLock { state in
            if case .running(let daemon) = state.currentPhase() { daemon.removeSocketFile() }
        }
    }
}
