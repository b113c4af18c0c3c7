import CTracerMicroHTTPD
import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Accepts connections, passes the admitted ones to libmicrohttpd, and triggers the checks of open connections.
///
/// libmicrohttpd could accept by itself, but then clients that take all its slots would keep every other client in the
/// system's queue. Also, its thread spins when the program has no descriptors left.
///
/// Has one thread for the life of the server, which sleeps without a timeout while no check is due.
///
/// `@unchecked Sendable` is safe because `daemon` is only passed to a function that any thread may call, and only the
/// thread of ``run()`` touches the variables.
final class Acceptor: @unchecked Sendable {
    private let listener: Int32
    private let listenerFile: FileIdentity?
    private let address: ListenAddress
    private let alarm: WakeSocket
    private let watch: ConnectionWatch
    private let loss: DescriptorLoss
    private let daemon: OpaquePointer
    private let refusal: [UInt8]
    private let log: @Sendable (ServerEvent) -> Void
    private let isStopping = Locked(false)
    private var shortage: AcceptFailures
    private var pausedUntil: MonotonicInstant?

    /// Creates an acceptor that accepts no connection until ``run()``.
    init(
        _ socket: ListeningSocket, alarm: WakeSocket, watch: ConnectionWatch, loss: DescriptorLoss,
        daemon: OpaquePointer, configuration: ServerConfiguration
    ) {
        listener = socket.descriptor
        listenerFile = FileIdentity(of: listener)
        address = socket.address
        self.alarm = alarm
        self.watch = watch
        self.loss = loss
        self.daemon = daemon
        log = configuration.log
        refusal = RawResponse.bytes(of: Refusals.tooManyConnections(limit: configuration.limits.connections))
        shortage = AcceptFailures(episodeGap: configuration.shortageEpisodeGap)
    }

    /// Ends ``run()``.
    func stop() {
        isStopping.withLock { $0 = true }
        alarm.wake()
    }

    /// Accepts connections and checks open ones until ``stop()``.
    func run() {
        while !isStopping.withLock({ $0 }), !loss.isNoticed {
            let plan = watch.plan(wantsWakeUp: pausedUntil != nil)
            let accepts = plan.mayAccept && pausedUntil == nil
            let wakeUp = [plan.nextLook, pausedUntil].compactMap(\.self).min()
            let isReady = wait(forConnection: accepts, until: wakeUp)
            let now = MonotonicInstant.now
            if let end = pausedUntil, end <= now { pausedUntil = nil }
            if let nextLook = plan.nextLook, nextLook <= now { watch.look() }
            if isReady { acceptSome() }
        }
    }

    /// Sleeps until there is something to do.
    ///
    /// - Returns: Whether a connection is ready to be accepted.
    private func wait(forConnection accepts: Bool, until moment: MonotonicInstant?) -> Bool {
        var polled = [
            pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&polled, accepts ? 2 : 1, moment.map(MonotonicInstant.now.milliseconds(until:)) ?? -1)
        guard count > 0 else { return false }
        // `poll` looks the numbers up again when it wakes, so they may be those of the program's files by now.
        guard alarm.isOpen, FileIdentity(of: listener) == listenerFile else {
            noticeLoss()
            return false
        }
        if polled[0].revents != 0 {
            alarm.clear()
            // The server has closed a descriptor, so accepting may succeed again.
            pausedUntil = nil
        }
        return accepts && polled[1].revents != 0
    }

    private func acceptSome() {
        // Bounded, so that checks and a stop are not delayed while connections keep coming.
        for _ in 0..<64 {
            guard watch.plan(wantsWakeUp: false).mayAccept else { return }
            var peer = SocketAddress()
            let descriptor = peer.accept(from: listener)
            guard descriptor >= 0 else {
                let failure = errno
                // Linux looks for a free descriptor before it looks for a connection: without a free one, accepting
                // fails although no connection is waiting.
                if aConnectionIsWaiting { acceptFailed(failure) }
                return
            }
            shortage.succeeded(now: .now)
            guard watch.admit(descriptor, from: ClientAddress(peer)) else {
                StreamSocket.refuse(descriptor, with: refusal)
                continue
            }
            StreamSocket.boundSendBuffer(of: descriptor)
            // If libmicrohttpd rejects the connection, it closes the socket.
            if peer.withPointer({ MHD_add_connection(daemon, descriptor, $0, $1) }) != .YES {
                watch.forget(descriptor)
            }
        }
    }

    private var aConnectionIsWaiting: Bool {
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// Stops using descriptors, which may belong to files of the program by now.
    private func noticeLoss() {
        loss.notice()
        log(.fault("the program has closed the sockets of the server at \(address), so the page is gone"))
    }

    private func acceptFailed(_ failure: Int32) {
        switch failure {
        case EBADF, ENOTSOCK:
            noticeLoss()
            return
        case EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED, EPROTO, ETIMEDOUT:
            // The connection does not exist or has already ended.
            return
        default: break
        }
        if shortage.failed(now: .now) {
            let remedy = DescriptorLimit.isReached(failure) ? "; \(DescriptorLimit.remedy(for: failure))" : ""
            log(
                .fault(
                    "cannot accept connections on \(address): \(SystemError(failure)); clients must wait\(remedy)"))
        }
        // The waiting connection keeps the socket readable, so without a pause this thread would spin.
        pausedUntil = MonotonicInstant.now.advanced(by: Self.pause)
        watch.evict()
    }

    private static let pause = Duration.milliseconds(250)
}

/// Distinguishes the first failure of an episode from later ones.
struct AcceptFailures {
    private let episodeGap: Duration
    private var latest: MonotonicInstant?

    /// - Parameter episodeGap: How long after the latest failure a success ends the episode.
    init(episodeGap: Duration) {
        self.episodeGap = episodeGap
    }

    /// Records a failure; returns whether it is the first of its episode.
    mutating func failed(now: MonotonicInstant) -> Bool {
        defer { latest = now }
        return latest == nil
    }

    /// Records a success.
    mutating func succeeded(now: MonotonicInstant) {
        if let latest, latest.advanced(by: episodeGap) <= now { self.latest = nil }
    }
}
