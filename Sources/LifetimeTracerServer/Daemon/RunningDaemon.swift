import CMicroHTTPD
import LifetimeTracerDashboard

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A started libmicrohttpd daemon with its socket, its thread and the thread of its watch.
///
/// `@unchecked Sendable` is safe because nothing changes after the start, and ``stop()`` is called once.
final class RunningDaemon: @unchecked Sendable {
    /// Where it listens, with the port that was picked.
    var address: ListenAddress { socket.address }

    private let socket: ListeningSocket
    private let context: ServerContext
    private let daemon: OpaquePointer
    private let watchThread: BackgroundThread
    private let inheritance: SocketInheritance
    /// The reference that libmicrohttpd works with; given back in ``stop()``, after its thread has ended.
    private let retainedContext: Unmanaged<ServerContext>

    /// Opens the socket and starts the threads.
    ///
    /// - Throws: ``ServerError``; then nothing is left open.
    init(_ configuration: ServerConfiguration, makingHandler: () -> HTTPServer.Handler) throws(ServerError) {
        try configuration.validate()
        socket = try ListeningSocket.open(configuration.address)
        let context = ServerContext(configuration: configuration, handler: makingHandler())
        self.context = context
        do throws(ServerError) {
            watchThread = try BackgroundThread { context.watch.run() }
        } catch {
            socket.release()
            throw error
        }
        // libmicrohttpd closes the socket that it is given, when it stops and in some cases when it does not start. So
        // it gets a duplicate, and ours stays ours.
        let duplicate = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        inheritance = SocketInheritance(of: [socket.descriptor, duplicate])
        retainedContext = Unmanaged.passRetained(context)
        guard let daemon = Self.start(configuration, socket, duplicate, retainedContext.toOpaque()) else {
            let messages = context.messagesSoFar
            retainedContext.release()
            context.watch.stop()
            watchThread.join()
            socket.release()
            inheritance.end()
            throw ServerError(
                .outOfResources, "cannot serve \(configuration.address): \(messages)",
                hint: "raise the limits of threads (ulimit -u), open files (ulimit -n) and address space (ulimit -v)")
        }
        self.daemon = daemon
    }

    /// Ends the streams, then the threads, and closes the socket.
    ///
    /// To be called once, and not by the daemon's thread.
    ///
    /// Streams get up to 200 ms for an orderly end; a browser reports a stream that is simply cut as an error. All
    /// other connections are cut; a request that is being handled is waited for.
    func stop() {
        guard !context.isOnDaemonThread else {
            // Not `precondition`, which says nothing in an optimized program.
            fatalError("A handler or a stream stops its own server, which waits for it; stop it from another thread.")
        }
        socket.removeFile()
        // Also refuses new connections and new streams from here on. Every stream is awake or marked before the daemon
        // stops: libmicrohttpd aborts the program when it stops with a connection suspended.
        context.streams.closeAll()
        context.streams.waitUntilEmpty(atMost: 200)
        MHD_stop_daemon(daemon)
        context.watch.stop()
        watchThread.join()
        socket.release()
        inheritance.end()
        retainedContext.release()
    }

    /// Removes the file of a Unix socket, so that nobody connects any more.
    func removeSocketFile() {
        socket.removeFile()
    }

    private static func start(
        _ configuration: ServerConfiguration, _ socket: ListeningSocket, _ duplicate: Int32,
        _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        guard duplicate >= 0 else { return nil }
        let idleSeconds = Int((configuration.idleTimeout.clampedNanoseconds + 999_999_999) / 1_000_000_000)
        let options = [
            MHD_OptionItem(option: .LISTEN_SOCKET, value: Int(duplicate), ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_LIMIT, value: configuration.connectionLimit, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: idleSeconds, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: configuration.connectionMemory, ptr_value: nil),
            MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
        ]
        // AUTO is epoll on Linux. One thread, asleep while nothing happens.
        let flags =
            MHD_USE_AUTO_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
        let daemon = SignalMask.whileAllAreBlocked {
            tracer_mhd_start(
                flags, context, libraryLogs, acceptConnection, connectionChanged, targetArrived, requestProgressed,
                requestCompleted, options)
        }
        if daemon == nil, let file = FileIdentity(of: socket.descriptor), file == FileIdentity(of: duplicate) {
            close(duplicate)
        }
        return daemon
    }
}
