import CMicroHTTPD
import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Accepts connections and hands those that are admitted to libmicrohttpd, and has the open ones looked at.
///
/// libmicrohttpd could accept by itself, but then its slots fill before anybody is asked: clients that take all of them
/// keep everybody else in the system's queue, and where the program has no descriptor left its thread spins.
///
/// One thread for the life of the server: it sleeps without a timeout while there is nothing to look at.
///
/// `@unchecked Sendable` is safe because `daemon` is only handed to a function that any thread may call, and the
/// variables are touched by the thread of ``run()`` alone.
final class Acceptor: @unchecked Sendable {
    private let listener: Int32
    private let address: ListenAddress
    private let alarm: WakeSocket
    private let watch: ConnectionWatch
    private let daemon: OpaquePointer
    private let refusal: [UInt8]
    private let log: @Sendable (ServerEvent) -> Void
    private let isStopping = Locked(false)
    private var shortage: AcceptFailures
    private var pausedUntil: MonotonicInstant?

    /// Creates an acceptor that accepts nothing until ``run()``.
    init(
        _ socket: ListeningSocket, alarm: WakeSocket, watch: ConnectionWatch, daemon: OpaquePointer,
        configuration: ServerConfiguration
    ) {
        listener = socket.descriptor
        address = socket.address
        self.alarm = alarm
        self.watch = watch
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

    /// Accepts and looks until ``stop()``.
    func run() {
        while !isStopping.withLock({ $0 }) {
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

    /// Sleeps until there is something to do; whether there is a connection to accept.
    private func wait(forConnection accepts: Bool, until moment: MonotonicInstant?) -> Bool {
        var polled = [
            pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&polled, accepts ? 2 : 1, moment.map(MonotonicInstant.now.milliseconds(until:)) ?? -1)
        guard count > 0 else { return false }
        if polled[0].revents != 0 {
            alarm.clear()
            // A descriptor of ours was closed, perhaps the one that is missing.
            pausedUntil = nil
        }
        return accepts && polled[1].revents != 0
    }

    private func acceptSome() {
        // Not until none is left: the connections have to be looked at, and the server may be stopped.
        for _ in 0..<64 {
            guard watch.plan(wantsWakeUp: false).mayAccept else { return }
            var peer = SocketAddress()
            let descriptor = peer.accept(from: listener)
            guard descriptor >= 0 else {
                acceptFailed(errno)
                return
            }
            shortage.succeeded(now: .now)
            guard watch.admit(descriptor, from: ClientAddress(peer)) else {
                StreamSocket.refuse(descriptor, with: refusal)
                continue
            }
            StreamSocket.boundSendBuffer(of: descriptor)
            // libmicrohttpd closes the socket where it does not take it.
            if peer.withPointer({ MHD_add_connection(daemon, descriptor, $0, $1) }) != .YES {
                watch.forget(descriptor)
            }
        }
    }

    private func acceptFailed(_ failure: Int32) {
        switch failure {
        case EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED, EPROTO, ETIMEDOUT:
            // No connection, or one that is over already.
            return
        default: break
        }
        if shortage.failed(now: .now) {
            let remedy = DescriptorLimit.isReached(failure) ? "; \(DescriptorLimit.remedy(for: failure))" : ""
            log(
                .fault(
                    "cannot accept connections on \(address): \(String(cString: strerror(failure))) (errno \(failure));"
                        + " clients wait\(remedy)"))
        }
        // The connection that waits keeps the socket readable: without a pause this thread would spin.
        pausedUntil = MonotonicInstant.now.advanced(by: Self.pause)
        watch.evict()
    }

    private static let pause = Duration.milliseconds(250)
}

/// Tells the first failure of an episode from the others.
struct AcceptFailures {
    private let episodeGap: Duration
    private var latest: MonotonicInstant?

    /// - Parameter episodeGap: For how long nothing must have failed before a success ends the episode.
    init(episodeGap: Duration) {
        self.episodeGap = episodeGap
    }

    /// Notes a failure; whether it is the first of its episode.
    mutating func failed(now: MonotonicInstant) -> Bool {
        defer { latest = now }
        return latest == nil
    }

    /// Notes a success.
    mutating func succeeded(now: MonotonicInstant) {
        if let latest, latest.advanced(by: episodeGap) <= now { self.latest = nil }
    }
}
