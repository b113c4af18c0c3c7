import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard

/// Serves a function from request to response over HTTP 1.1.
///
/// It owns sockets, limits, streams and stopping, and knows nothing of what is served. A running server lives until
/// ``stop()``, whether anybody refers to it or not.
///
/// In a child of `fork` it does not run, whatever it did in the parent, and can be started: the child has none of its
/// threads, and its sockets and connections are the parent's.
package final class HTTPServer: LockedState {
    /// Answers a request.
    ///
    /// Called on the server's one thread, so it must be quick: while it runs, nobody else is served. It must not call
    /// ``HTTPServer/stop()``, which waits for it.
    package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

    private enum Phase: Sendable {
        case stopped
        case starting
        case running(RunningDaemon)
        case stopping(DispatchGroup)
    }

    private struct State: LockedState {
        var phase = Phase.stopped
        /// In which process it came to be in that phase.
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
    private let makeHandler: @Sendable () -> Handler
    private let state = Locked(State())

    /// Creates a server that does not run yet.
    ///
    /// Every stream that the handler answers with gets ``ResponseStream/closed(_:)`` exactly once, even one that never
    /// starts: `completed` when only the head was asked for, else `disconnected` or `serverStopped`.
    package convenience init(configuration: ServerConfiguration, handler: @escaping Handler) {
        self.init(configuration: configuration, makingHandler: { handler })
    }

    /// Creates a server whose handler is made at each start, and only once the address is known to be free: for handlers
    /// that set things going.
    package init(configuration: ServerConfiguration, makingHandler: @escaping @Sendable () -> Handler) {
        self.configuration = configuration
        makeHandler = makingHandler
    }

    /// Where the server listens, with the port that was picked; `nil` while it does not run.
    package var address: ListenAddress? {
        state.withLock { state in
            if case .running(let daemon) = state.currentPhase() { daemon.address } else { nil }
        }
    }

    /// Starts to serve.
    ///
    /// A stopped server can be started again.
    ///
    /// - Throws: ``ServerError`` that names the address, what the system said, and what to do.
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
                hint: "stop it first")
        }
        do throws(ServerError) {
            let daemon = try RunningDaemon(configuration, makingHandler: makeHandler)
            state.withLock { $0.enter(.running(daemon)) }
        } catch {
            state.withLock { $0.enter(.stopped) }
            throw error
        }
    }

    /// Ends all streams and connections and returns when both threads are gone and the socket is closed.
    ///
    /// Streams get ``ServerConfiguration/streamGrace`` for an orderly end. Without effect on a server that does not run; several callers all
    /// return when it has stopped. Must not be called by the handler or by a stream.
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

    /// Removes the file of a Unix socket and leaves everything else as it is.
    func removeSocketFile() {
        state.withLock { state in
            if case .running(let daemon) = state.currentPhase() { daemon.removeSocketFile() }
        }
    }
}
