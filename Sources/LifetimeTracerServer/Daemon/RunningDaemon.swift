import CTracerMicroHTTPD
import LifetimeTracer
import LifetimeTracerDashboard
import TracerBase

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
    /// The listening address, with the port that was picked.
    var address: ListenAddress { socket.address }

    private let socket: ListeningSocket
    private let alarm: WakeSocket
    private let context: ServerContext
    private let daemon: OpaquePointer
    private let acceptor: Acceptor
    private let acceptorThread: SystemThread
    private let inheritance: SocketInheritance
    private let streamGrace: Duration
    /// The reference that libmicrohttpd uses; released in ``stop()`` after its thread has ended.
    private let retainedContext: Unmanaged<ServerContext>

    /// Opens the socket and starts the threads.
    ///
    /// - Throws: ``ServerError``; then every resource has been released.
    init(_ configuration: ServerConfiguration, makingHandler: () -> Answering) throws(ServerError) {
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
            try Self.checkMemory(for: configuration.address)
        } catch {
            releaseSockets()
            throw error
        }
        let context = ServerContext(configuration: configuration, alarm: alarm, answering: makingHandler())
        // Released below if the start fails, else in `stop`.
        let retainedContext = Unmanaged.passRetained(context)
        guard let daemon = Self.start(configuration, retainedContext.toOpaque()) else {
            let messages = context.messagesSoFar
            retainedContext.release()
            releaseSockets()
            throw ServerError(
                .outOfResources, "cannot serve \(configuration.address): \(messages)",
                hint: "raise the limits on threads (ulimit -u), open files (ulimit -n) and address space (ulimit -v)")
        }
        Self.awaitThread(of: daemon, context)
        let acceptor = Acceptor(
            socket, alarm: alarm, watch: context.watch, loss: context.loss, daemon: daemon,
            configuration: configuration)
        do throws(ThreadError) {
            acceptorThread = try ServerThread.start(named: "tracer-accept") { acceptor.run() }
        } catch {
            MHD_stop_daemon(daemon)
            retainedContext.release()
            releaseSockets()
            throw ServerError(error)
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

    /// Ends the streams and the threads, and closes the sockets.
    ///
    /// Must be called once, and not on the daemon's thread.
    ///
    /// Streams get a short time for an orderly end, because a browser reports a stream that is cut as an error. All
    /// other connections are cut, and the current request is completed first.
    func stop() {
        guard !context.isOnDaemonThread else {
            // `precondition` prints no message in an optimised program.
            fatalError(
                "A handler or stream stopped its own server, which would deadlock; stop the server from another thread."
            )
        }
        guard !context.loss.isNoticed else { return }
        // While libmicrohttpd stops, it must not be given a connection.
        acceptor.stop()
        acceptorThread.join()
        socket.release()
        // From here on new streams are refused, too. Every stream is resumed or marked before the daemon stops:
        // libmicrohttpd aborts the program if it stops while a connection is suspended.
        context.elsewhere.close()
        context.streams.closeAll()
        context.streams.waitUntilEmpty(atMost: streamGrace)
        MHD_stop_daemon(daemon)
        alarm.release()
        inheritance.end()
        retainedContext.release()
    }

    /// Removes the file of a Unix socket, so that no further client connects.
    func removeSocketFile() {
        socket.removeFile()
    }

    /// Throws if descriptors are short, which libmicrohttpd does not report: it needs two, and each connection one.
    private static func checkDescriptors(for address: ListenAddress) throws(ServerError) {
        var spare: [Int32] = []
        defer { for descriptor in spare { close(descriptor) } }
        for _ in 0..<3 {
            let descriptor = StreamSocket.make(family: AF_UNIX)
            guard descriptor >= 0 else { throw ListeningSocket.refusal(of: address, errno) }
            spare.append(descriptor)
        }
    }

    /// Throws if the server's two threads, and that of the registry, would leave the program so little memory that it
    /// could end.
    private static func checkMemory(for address: ListenAddress) throws(ServerError) {
        guard !ProcessLimits.hasRoom(forThreads: 3, leaving: leftMemory) else { return }
        throw ServerError(
            .outOfResources, "cannot serve \(address): the tracer's threads would leave the program too little memory.",
            hint: "\(ProcessLimits.memory) With the variable MALLOC_ARENA_MAX=1, threads take less address space.")
    }

    /// What a search for retain paths needs.
    private static let leftMemory = 8 << 20

    /// Waits until the daemon's thread runs and has its memory for blocks, by giving it a connection.
    ///
    /// Without this, Swift's crash reporter could not suspend the thread, and the first request would take that memory
    /// from the program, perhaps its last.
    private static func awaitThread(of daemon: OpaquePointer, _ context: ServerContext) {
        guard let (end, other) = StreamSocket.makePair() else { return }
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNIX)
        let size = socklen_t(MemoryLayout<sa_family_t>.size)
        // libmicrohttpd closes its end, also if it rejects the connection.
        if MHD_add_connection(daemon, end, &address, size) == .YES { context.arrival.wait() }
        close(other)
    }

    private static func start(
        _ configuration: ServerConfiguration, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        let limits = configuration.limits
        let idleSeconds = Int((limits.idleTimeout.clampedNanoseconds + 999_999_999) / 1_000_000_000)
        // The acceptor enforces the limit. If libmicrohttpd 0.9.75 finds its own limit exceeded on its thread, it never
        // releases one of its locks.
        let unreachedLimit = limits.connections + ServerLimits.closingConnections + 1024
        let options = [
            MHD_OptionItem(option: .CONNECTION_LIMIT, value: unreachedLimit, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: idleSeconds, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: configuration.connectionMemory, ptr_value: nil),
            MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
        ]
        // AUTO is epoll on Linux. The daemon has one thread, which sleeps while idle and gets its connections from the
        // acceptor.
        let flags =
            MHD_USE_AUTO_INTERNAL_THREAD.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ITC.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
        return SignalMask.whileAllAreBlocked {
            lt_mhd_start(
                flags, context, libraryLogs, connectionChanged, targetArrived, requestProgressed, requestCompleted,
                options)
        }
    }
}
