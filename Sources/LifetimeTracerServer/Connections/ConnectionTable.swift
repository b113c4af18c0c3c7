import TracerBase

/// The open connections; decides whether to admit a new one, which to evict, and which clients are too slow.
///
/// The table only decides: the caller supplies the time and operates the sockets. Each decision takes time linear in
/// the number of connections.
struct ConnectionTable: Sendable {
    /// What a connection is doing.
    enum Phase: Sendable, Equatable {
        /// The server awaits or is receiving the header of a request.
        case header
        /// The server is receiving the body of a request.
        case body
        /// The server is answering a request.
        case answer
        /// The response is an event stream.
        case stream
        /// The response has been sent, and another request may follow.
        case kept

        /// Whether the server awaits bytes from the client.
        var awaitsRequest: Bool { self == .header || self == .body || self == .kept }
    }

    /// The decision about a client that connects.
    enum Admission: Equatable {
        /// The connection is in the table; the caller first has to shut down the socket `evicting`, if any.
        case admitted(evicting: Int32?)
        /// The connection is refused, because no other connection can be evicted.
        case refused
    }

    /// Reads the state of a client's socket without consuming anything.
    struct Sight {
        /// The receive state of the client.
        let peer: (Int32) -> Peer
        /// Whether the system's send buffer for the client is full.
        let isStalled: (Int32) -> Bool
        /// The file that a descriptor is open on.
        let identity: (Int32) -> FileIdentity?

        fileprivate func clientIsToAct(_ descriptor: Int32, _ connection: Candidate) -> Bool {
            connection.phase.awaitsRequest ? peer(descriptor) != .unread : isStalled(descriptor)
        }
    }

    /// The state of the bytes received from a client.
    enum Peer {
        /// All received bytes have been read.
        case silent
        /// libmicrohttpd has not read all received bytes.
        case unread
        /// The client has closed the connection, or its sending side, and all its bytes have been read.
        case ended
    }

    private struct Connection: Sendable {
        let client: ClientAddress?
        let socket: FileIdentity?
        var phase = Phase.header
        var since: MonotonicInstant
        var deadline: MonotonicInstant?
        /// Whether libmicrohttpd has taken over the connection; until then it may close the socket without a report.
        var isServed = false
        /// Whether the connection has been shut down and libmicrohttpd has yet to close it.
        var isClosing = false
        /// Whether the last check found unread bytes.
        var wasUnread = false
        /// Whether the last check found that the client had closed the connection.
        var endWasSeen = false
    }

    private let limits: ServerLimits
    /// The times of the limits in nanoseconds: each request needs them several times.
    private let nanoseconds: (header: UInt64, body: UInt64, kept: UInt64)
    private var connections: [Int32: Connection] = [:]
    private var countByClient: [ClientAddress: Int] = [:]
    private var closingCount = 0
    private var unservedCount = 0

    /// Creates an empty table.
    init(limits: ServerLimits) {
        self.limits = limits
        nanoseconds = (
            limits.headerDeadline.clampedNanoseconds, limits.bodyDeadline.clampedNanoseconds,
            limits.idleTimeout.clampedNanoseconds
        )
    }

    /// Whether another connection may be accepted, given those that libmicrohttpd has yet to take over or to close.
    ///
    /// Bounds the number of descriptors, and the number of evictions while a request keeps libmicrohttpd's thread busy.
    var mayAccept: Bool {
        closingCount < ServerLimits.closingConnections && unservedCount < max(1, min(64, limits.connections / 4))
    }

    /// Whether any connection needs regular checks.
    var needsLooks: Bool {
        unservedCount > 0 || connections.values.contains { $0.phase.awaitsRequest && !$0.isClosing }
    }

    /// The earliest deadline of a client.
    var nextDeadline: MonotonicInstant? {
        connections.values.lazy.compactMap { $0.isClosing ? nil : $0.deadline }.min()
    }

    /// Decides about a new connection and adds it if it is admitted.
    ///
    /// An address that has reached its limit gives up one of its own connections. If all connections are in use, the
    /// address with the most connections gives one up, in this order:
    ///
    /// 1. the oldest connection that has awaited its client for ``grace``: the client has not sent the rest of a
    ///    request, or does not read its response
    /// 2. the oldest connection of an address that has more connections than the new client's address would have
    /// 3. the oldest connection that has awaited its client for a shorter time
    /// 4. the oldest connection with an unread request
    ///
    /// The last two are chosen only from addresses with at least as many connections as the new client's address would
    /// have. Otherwise a crowd of busy clients would evict each new client of another address before its first byte
    /// arrives.
    mutating func admit(
        _ descriptor: Int32, socket: FileIdentity?, client: ClientAddress?, now: MonotonicInstant, sight: Sight
    ) -> Admission {
        // The system has reused the descriptor, so its former connection is closed.
        remove(descriptor)
        let own = client.map { countByClient[$0, default: 0] } ?? 0
        let open = connections.count - closingCount
        let reserved = own < ServerLimits.fewConnections ? 0 : limits.reservedConnections
        var victim: Int32?
        if let client, own >= limits.connectionsPerAddress {
            victim =
                oldest(ofClient: client, where: sight.clientIsToAct)
                ?? oldest(ofClient: client) { $1.phase.awaitsRequest }
            if victim == nil { return .refused }
        } else if open >= limits.connections - reserved {
            // Clients of a Unix socket have no address, and thus no share.
            let share = client == nil ? 0 : own + 1
            victim =
                oldest { isSettled($1, now) && sight.clientIsToAct($0, $1) } ?? oldest { $1.share > share }
                ?? oldest { $1.share >= share && sight.clientIsToAct($0, $1) }
                ?? oldest { $1.share >= share && $1.phase.awaitsRequest }
            if victim == nil { return .refused }
        }
        if let victim { close(victim) }
        connections[descriptor] = Connection(
            client: client, socket: socket, since: now, deadline: now.advanced(by: limits.headerDeadline))
        if let client { countByClient[client, default: 0] += 1 }
        unservedCount += 1
        return .admitted(evicting: victim)
    }

    /// Chooses the connection to shut down when the program has run out of descriptors.
    mutating func evict(sight: Sight) -> Int32? {
        let victim = oldest(where: sight.clientIsToAct)
        if let victim { close(victim) }
        return victim
    }

    /// Records that libmicrohttpd has taken over the connection.
    mutating func serve(_ descriptor: Int32) {
        guard connections[descriptor]?.isServed == false else { return }
        connections[descriptor]?.isServed = true
        unservedCount -= 1
    }

    /// Moves a connection to another phase, and returns its new deadline, if it has one.
    ///
    /// The deadline for the header of a connection's first request counts from the opening of the connection.
    mutating func enter(_ phase: Phase, _ descriptor: Int32, now: MonotonicInstant) -> MonotonicInstant? {
        guard let place = connections.index(forKey: descriptor) else { return nil }
        var connection = connections.values[place]
        guard !connection.isClosing, connection.phase != phase else { return nil }
        let limit: UInt64? =
            switch phase {
            case .header: nanoseconds.header
            case .body: nanoseconds.body
            case .kept: nanoseconds.kept
            case .answer, .stream: nil
            }
        let deadline = limit.map { now.advanced(byNanoseconds: $0) }
        connection.phase = phase
        connection.since = now
        connection.deadline = deadline
        connection.endWasSeen = false
        connections.values[place] = connection
        return deadline
    }

    /// Removes a connection that is closed or about to be closed.
    mutating func remove(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        if !connection.isServed { unservedCount -= 1 }
        if connection.isClosing { closingCount -= 1 } else { release(connection.client) }
    }

    /// Chooses the connections to shut down: those whose client has disconnected or missed its deadline.
    ///
    /// A disconnected client counts only when two checks in a row find it so. At the first check, libmicrohttpd may
    /// have read the rest of a request without having reported it yet.
    ///
    /// - Parameters:
    ///   - patience: How much time a late client gets while bytes from it wait to be read.
    ///   - sight: Reads the state of the clients' sockets.
    mutating func overdue(now: MonotonicInstant, patience: Duration, sight: Sight) -> [Int32] {
        var overdue: [Int32] = []
        for (descriptor, connection) in connections where !connection.isClosing {
            if !connection.isServed {
                // If libmicrohttpd has no memory for a connection, it closes the socket and reports nothing.
                if sight.identity(descriptor) != connection.socket { remove(descriptor) }
                continue
            }
            guard connection.phase.awaitsRequest else { continue }
            let seen = sight.peer(descriptor)
            let isLate = connection.deadline.map { $0 <= now } ?? false
            // Here the server is late, not the client: it has not read the received bytes, or had not at the last
            // check.
            let isExcused =
                (seen == .unread || connection.wasUnread) && now < connection.since.advanced(by: Self.longestDelay)
            if seen == .ended ? connection.endWasSeen : isLate && !isExcused {
                overdue.append(descriptor)
                close(descriptor)
                continue
            }
            if isLate { connections[descriptor]?.deadline = now.advanced(by: patience) }
            connections[descriptor]?.wasUnread = seen == .unread
            connections[descriptor]?.endWasSeen = seen == .ended
        }
        return overdue
    }

    /// Returns the oldest connection that satisfies the condition, from the address with the most connections.
    ///
    /// The condition is expensive, so it is evaluated only for connections that would be chosen.
    private func oldest(ofClient client: ClientAddress? = nil, where mayGo: (Int32, Candidate) -> Bool) -> Int32? {
        var best: (descriptor: Int32, candidate: Candidate)?
        for (descriptor, connection) in connections
        where connection.isServed && !connection.isClosing && connection.phase != .stream {
            guard client == nil || connection.client == client else { continue }
            let share = connection.client.map { countByClient[$0, default: 0] } ?? 0
            let candidate = Candidate(phase: connection.phase, share: share, since: connection.since)
            if let best, candidate < best.candidate { continue }
            if mayGo(descriptor, candidate) { best = (descriptor, candidate) }
        }
        return best?.descriptor
    }

    /// Whether the connection's phase has lasted long enough for a client to send its bytes on a busy machine.
    private func isSettled(_ connection: Candidate, _ now: MonotonicInstant) -> Bool {
        connection.since.advanced(by: Self.grace) <= now
    }

    private mutating func close(_ descriptor: Int32) {
        guard let connection = connections[descriptor], !connection.isClosing else { return }
        connections[descriptor]?.isClosing = true
        connections[descriptor]?.deadline = nil
        closingCount += 1
        release(connection.client)
    }

    private mutating func release(_ client: ClientAddress?) {
        guard let client, let count = countByClient[client] else { return }
        countByClient[client] = count > 1 ? count - 1 : nil
    }

    /// A connection that may be evicted; the greatest candidate is evicted first.
    struct Candidate: Comparable {
        let phase: Phase
        /// The number of connections of its address.
        let share: Int
        let since: MonotonicInstant

        static func < (left: Self, right: Self) -> Bool {
            left.share != right.share ? left.share < right.share : left.since > right.since
        }
    }

    /// How long a client may take to send its first bytes before its connection is the first to be evicted.
    ///
    /// Between the arrival of a connection and of its request, the client's process may have to wait for a processor.
    static let grace = Duration.milliseconds(500)
    /// How long unread bytes excuse a late client.
    private static let longestDelay = Duration.seconds(30)
}
