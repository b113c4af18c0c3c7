/// The open connections: which of them wait for a request, whether another one is admitted, and which one gives way.
///
/// It decides and does nothing: the clock and the sockets are its caller's. Each decision looks at all connections.
struct ConnectionTable: Sendable {
    /// What a connection is doing.
    enum Phase: Sendable, Equatable {
        /// The header of a request is expected or arriving.
        case header
        /// The body of a request is arriving.
        case body
        /// A request is being answered.
        case answer
        /// The answer is an event stream.
        case stream
        /// The answer was sent, and another request may follow.
        case kept

        /// Whether the client is the one to act.
        var awaitsRequest: Bool { self == .header || self == .body || self == .kept }
    }

    /// The answer to a client that connects.
    enum Admission: Equatable {
        /// The connection is in the table; first, the socket `evicting` has to be shut down.
        case admitted(evicting: Int32?)
        /// No connection can give way.
        case refused
    }

    /// Looks at the client behind a socket, and takes nothing from the socket.
    struct Sight {
        /// What has come from the client.
        let peer: (Int32) -> Peer
        /// Whether the system takes no more bytes for the client, as it has too many already.
        let isStalled: (Int32) -> Bool
        /// Which file a descriptor is.
        let identity: (Int32) -> FileIdentity?

        fileprivate func clientIsToAct(_ descriptor: Int32, _ connection: Candidate) -> Bool {
            connection.phase.awaitsRequest ? peer(descriptor) != .unread : isStalled(descriptor)
        }
    }

    /// What has come from a client.
    enum Peer {
        /// Nothing has come that was not read.
        case silent
        /// Bytes have come that libmicrohttpd has not read yet.
        case unread
        /// The client has closed the connection, or its half of it, and all its bytes are read.
        case ended
    }

    private struct Connection: Sendable {
        let client: ClientAddress?
        let socket: FileIdentity?
        var phase = Phase.header
        var since: MonotonicInstant
        var deadline: MonotonicInstant?
        /// Whether libmicrohttpd has taken it over; before, the socket may be closed without a word.
        var isServed = false
        /// Whether it was shut down, and libmicrohttpd has yet to close it.
        var isClosing = false
        /// Whether bytes waited to be read at the last look.
        var wasUnread = false
        /// Whether the client's end was seen at the last look.
        var endWasSeen = false
    }

    private let limits: ServerLimits
    private var connections: [Int32: Connection] = [:]
    private var countByClient: [ClientAddress: Int] = [:]
    private var closingCount = 0
    private var unservedCount = 0

    /// Creates an empty table.
    init(limits: ServerLimits) {
        self.limits = limits
    }

    /// Whether there is room to ask about another connection, with regard to those that libmicrohttpd has yet to take
    /// over or to close.
    ///
    /// It bounds the descriptors, and what is evicted while libmicrohttpd's thread is busy with a request.
    var mayAccept: Bool {
        closingCount < ServerLimits.closingConnections && unservedCount < max(1, min(64, limits.connections / 4))
    }

    /// Whether there are connections that have to be looked at.
    var needsLooks: Bool {
        unservedCount > 0 || connections.values.contains { $0.phase.awaitsRequest && !$0.isClosing }
    }

    /// The earliest moment at which a client will have been too slow.
    var nextDeadline: MonotonicInstant? {
        connections.values.lazy.compactMap { $0.isClosing ? nil : $0.deadline }.min()
    }

    /// Decides about a new connection and, where it is admitted, takes it in.
    ///
    /// An address that has its share gives up one of its own connections. Where all connections are in use, the address
    /// with the most gives up one. Of these, the oldest gives way whose client is the one to act: it has not sent the
    /// rest of a request, or does not take its answer. Where the server is behind with all of them, an address that has
    /// fewer takes one nevertheless, and at last the oldest gives way that has not been read.
    mutating func admit(
        _ descriptor: Int32, socket: FileIdentity?, client: ClientAddress?, now: MonotonicInstant, sight: Sight
    ) -> Admission {
        // The number was given out again, so what had it is closed.
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
            victim =
                oldest(where: sight.clientIsToAct) ?? oldest { $1.share > own + 1 } ?? oldest { $1.phase.awaitsRequest }
            if victim == nil { return .refused }
        }
        if let victim { close(victim) }
        connections[descriptor] = Connection(
            client: client, socket: socket, since: now, deadline: now.advanced(by: limits.headerDeadline))
        if let client { countByClient[client, default: 0] += 1 }
        unservedCount += 1
        return .admitted(evicting: victim)
    }

    /// Chooses the connection to shut down where the program has run out of descriptors.
    mutating func evict(sight: Sight) -> Int32? {
        let victim = oldest(where: sight.clientIsToAct)
        if let victim { close(victim) }
        return victim
    }

    /// libmicrohttpd has taken the connection over.
    mutating func serve(_ descriptor: Int32) {
        guard connections[descriptor]?.isServed == false else { return }
        connections[descriptor]?.isServed = true
        unservedCount -= 1
    }

    /// The connection goes on to another phase; returns its new deadline, if it has one.
    ///
    /// The header of a connection's first request is due from its opening, whatever has come of it.
    mutating func enter(_ phase: Phase, _ descriptor: Int32, now: MonotonicInstant) -> MonotonicInstant? {
        guard let before = connections[descriptor], !before.isClosing, before.phase != phase else { return nil }
        let limit: Duration? =
            switch phase {
            case .header: limits.headerDeadline
            case .body: limits.bodyDeadline
            case .kept: limits.idleTimeout
            case .answer, .stream: nil
            }
        let deadline = limit.map { now.advanced(by: $0) }
        connections[descriptor]?.phase = phase
        connections[descriptor]?.since = now
        connections[descriptor]?.deadline = deadline
        connections[descriptor]?.endWasSeen = false
        return deadline
    }

    /// The connection is closed, or is about to be.
    mutating func remove(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        if !connection.isServed { unservedCount -= 1 }
        if connection.isClosing { closingCount -= 1 } else { release(connection.client) }
    }

    /// Chooses the connections to shut down: those whose client has gone, or was too slow.
    ///
    /// A client's end counts when it is seen at two looks in a row: at the first, libmicrohttpd may have read the rest
    /// of a request and not have said so yet.
    ///
    /// - Parameters:
    ///   - patience: For how long a client is not too slow while bytes of it wait to be read.
    ///   - sight: Looks at the clients.
    mutating func overdue(now: MonotonicInstant, patience: Duration, sight: Sight) -> [Int32] {
        var overdue: [Int32] = []
        for (descriptor, connection) in connections where !connection.isClosing {
            if !connection.isServed {
                // libmicrohttpd closes a socket that it has no memory for, and reports nothing.
                if sight.identity(descriptor) != connection.socket { remove(descriptor) }
                continue
            }
            guard connection.phase.awaitsRequest else { continue }
            let seen = sight.peer(descriptor)
            let isLate = connection.deadline.map { $0 <= now } ?? false
            // The server is late, not the client: it has not read what came, or had not at the last look.
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

    /// The oldest connection for which the condition holds, of the address that has the most such connections.
    ///
    /// The condition is costly, so it is asked for only where a connection would be chosen.
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

    /// A connection that may have to give way; the greatest goes first.
    struct Candidate: Comparable {
        let phase: Phase
        /// How many connections its address has.
        let share: Int
        let since: MonotonicInstant

        static func < (left: Self, right: Self) -> Bool {
            left.share != right.share ? left.share < right.share : left.since > right.since
        }
    }

    /// For how long unread bytes excuse a client.
    private static let longestDelay = Duration.seconds(30)
}
