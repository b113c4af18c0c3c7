import CMicroHTTPD
import LifetimeTracerDashboard

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A started libmicrohttpd daemon with its thread, and the acceptor with its socket and thread.
///
/// `@unchecked Sendable` is safe because nothing changes after the start, and ``stop()`` is called once.
final class RunningDaemon: @unchecked Sendable {
    /// Where it listens, with the port that was picked.
    var address: ListenAddress { socket.address }

    private let socket: ListeningSocket
    private let alarm: WakeSocket
    private let context: ServerContext
    private let daemon: OpaquePointer
    private let acceptor: Acceptor
    private let acceptorThread: BackgroundThread
    private let inheritance: SocketInheritance
    private let streamGrace: Duration
    /// The reference that libmicrohttpd works with; given back in ``stop()``, after its thread has ended.
    private let retainedContext: Unmanaged<ServerContext>

    /// Opens the socket and starts the threads.
    ///
    /// - Throws: ``ServerError``; then nothing is left open.
    init(_ configuration: ServerConfiguration, makingHandler: () -> HTTPServer.Handler) throws(ServerError) {
        try configuration.validate()
        let socket = try ListeningSocket.open(configuration.address)
        guard let alarm = WakeSocket() else {
            let failure = errno
            socket.release()
            throw ListeningSocket.refusal(of: configuration.address, failure)
        }
        let inheritance = SocketInheritance(of: [socket.descriptor] + alarm.descriptors)
        func releaseSockets() {
            socket.release()
            alarm.release()
            inheritance.end()
        }
        do throws(ServerError) {
            try Self.checkDescriptors(for: configuration.address)
        } catch {
            releaseSockets()
            throw error
        }
        let context = ServerContext(configuration: configuration, alarm: alarm, handler: makingHandler())
        // Balanced where the start fails, and in `stop`.
        let retainedContext = Unmanaged.passRetained(context)
        guard let daemon = Self.start(configuration, retainedContext.toOpaque()) else {
            let messages = context.messagesSoFar
            retainedContext.release()
            releaseSockets()
            throw ServerError(
                .outOfResources, "cannot serve \(configuration.address): \(messages)",
                hint: "raise the limits of threads (ulimit -u), open files (ulimit -n) and address space (ulimit -v)")
        }
        let acceptor = Acceptor(
            socket, alarm: alarm, watch: context.watch, daemon: daemon, configuration: configuration)
        do throws(ServerError) {
            acceptorThread = try BackgroundThread { acceptor.run() }
        } catch {
            MHD_stop_daemon(daemon)
            retainedContext.release()
            releaseSockets()
            throw error
        }
        self.socket = socket
        self.alarm = alarm
        self.context = context
        self.daemon = daemon
        self.acceptor = acceptor
        self.inheritance = inheritance
        streamGrace = configuration.streamGrace
        self.retainedContext = retainedContext
    }

    /// Ends the streams, then the threads, and closes the sockets.
    ///
    /// To be called once, and not by the daemon's thread.
    ///
    /// Streams get a moment for an orderly end; a browser reports a stream that is simply cut as an error. All
    /// other connections are cut; a request that is being handled is waited for.
    func stop() {
        guard !context.isOnDaemonThread else {
            // Not `precondition`, which says nothing in an optimized program.
            fatalError("A handler or a stream stops its own server, which waits for it; stop it from another thread.")
        }
        // libmicrohttpd must not be given a connection while it stops.
        acceptor.stop()
        acceptorThread.join()
        socket.release()
        // Also refuses new streams from here on. Every stream is awake or marked before the daemon stops: libmicrohttpd
        // aborts the program when it stops with a connection suspended.
        context.streams.closeAll()
        context.streams.waitUntilEmpty(atMost: streamGrace)
        MHD_stop_daemon(daemon)
        alarm.release()
        inheritance.end()
        retainedContext.release()
    }

    /// Removes the file of a Unix socket, so that nobody connects any more.
    func removeSocketFile() {
        socket.removeFile()
    }

    /// Throws the reason that libmicrohttpd does not tell: it needs two descriptors, and a connection one.
    private static func checkDescriptors(for address: ListenAddress) throws(ServerError) {
        var spare: [Int32] = []
        defer { for descriptor in spare { close(descriptor) } }
        for _ in 0..<3 {
            let descriptor = StreamSocket.make(family: AF_UNIX)
            guard descriptor >= 0 else { throw ListeningSocket.refusal(of: address, errno) }
            spare.append(descriptor)
        }
    }

    private static func start(
        _ configuration: ServerConfiguration, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        let limits = configuration.limits
        let idleSeconds = Int((limits.idleTimeout.clampedNanoseconds + 999_999_999) / 1_000_000_000)
        // The acceptor keeps the limit. When version 0.9.75 finds it exceeded on its thread, it never releases a lock
        // of its own.
        let unreachedLimit = limits.connections + ServerLimits.closingConnections + 1024
        let options = [
            MHD_OptionItem(option: .CONNECTION_LIMIT, value: unreachedLimit, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: idleSeconds, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: configuration.connectionMemory, ptr_value: nil),
            MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
        ]
        // AUTO is epoll on Linux. One thread, asleep while nothing happens, that gets its connections from the
        // acceptor.
        let flags =
            MHD_USE_AUTO_INTERNAL_THREAD.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ITC.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
        return SignalMask.whileAllAreBlocked {
            tracer_mhd_start(
                flags, context, libraryLogs, connectionChanged, targetArrived, requestProgressed, requestCompleted,
                options)
        }
    }
}
