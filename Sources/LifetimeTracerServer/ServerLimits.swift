/// How many connections a server serves, and how long it waits for a client.
///
/// ```swift
/// let server = TracerServer(limits: ServerLimits(connections: 64, headerDeadline: .seconds(2)))
/// ```
///
/// The initializer derives the limits that are not given from `connections`. ``TracerServer/start()`` checks them.
public struct ServerLimits: Sendable, Hashable {
    /// The number of connections that are served at a time; each takes one descriptor of the program.
    public var connections: Int
    /// The number of connections that one client address may have, be it of one client or of a proxy; for IPv6 one /64
    /// network counts as one address.
    ///
    /// Not applied to a Unix socket, where all clients are the same user.
    public var connectionsPerAddress: Int
    /// The number of connections that are kept for addresses that have few, ``fewConnections`` at most.
    public var reservedConnections: Int
    /// The number of event streams at a time; a further one is answered 503.
    public var streams: Int
    /// How long the header of a request may take, from the opening of the connection, or from the first line of a
    /// later request.
    public var headerDeadline: Duration
    /// How long the body of a request may take, from the end of its header.
    public var bodyDeadline: Duration
    /// How long a connection may neither send nor take a byte, and how long it is kept for a next request; whole
    /// seconds, rounded up.
    public var idleTimeout: Duration

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - connections: Without a value, ``standardConnections``.
    ///   - connectionsPerAddress: Without a value, three quarters of `connections`.
    ///   - reservedConnections: Without a value, an eighth of `connections`.
    ///   - streams: Without a value, a quarter of `connections`.
    public init(
        connections: Int? = nil, connectionsPerAddress: Int? = nil, reservedConnections: Int? = nil,
        streams: Int? = nil, headerDeadline: Duration = .seconds(3), bodyDeadline: Duration = .seconds(10),
        idleTimeout: Duration = .seconds(15)
    ) {
        let connections = connections ?? Self.standardConnections
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress ?? max(1, connections - connections / 4)
        self.reservedConnections = reservedConnections ?? connections / 8
        self.streams = streams ?? connections / 4
        self.headerDeadline = headerDeadline
        self.bodyDeadline = bodyDeadline
        self.idleTimeout = idleTimeout
    }

    /// The number of connections without a setting: 256, or a quarter of the files that the program may open
    /// (`RLIMIT_NOFILE`) where that is less; 8 at least.
    public static var standardConnections: Int {
        min(256, max(8, DescriptorLimit.current / 4))
    }

    /// Up to how many connections an address may use those of ``reservedConnections``: as many as a browser opens, and
    /// a scraper.
    public static let fewConnections = 8

    /// How many connections that were evicted may be waiting to be closed; they take descriptors besides
    /// ``connections``.
    static let closingConnections = 16

    /// Reads limits as `LIFETIME_TRACER_LIMITS` has them: `connections=64,headerDeadline=2.5`.
    ///
    /// The names are those of the properties, and the times are seconds. What is not given is derived as by
    /// ``init(connections:connectionsPerAddress:reservedConnections:streams:headerDeadline:bodyDeadline:idleTimeout:)``.
    ///
    /// - Throws: ``ServerError`` with the code `invalidConfiguration`, where a name or a value is none.
    public init(list: String) throws(ServerError) {
        var counts: [String: Int] = [:]
        var times: [String: Duration] = [:]
        for item in list.split(separator: ",") where !item.allSatisfy({ $0 == " " }) {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.trimmed(parts[0])
            let text = parts.count == 2 ? Self.trimmed(parts[1]) : ""
            guard counts[name] == nil, times[name] == nil else {
                throw Self.invalid("\(name) is given twice", hint: "give each limit once")
            }
            if Self.countNames.contains(name) {
                guard let count = Int(text) else {
                    throw Self.invalid("\(name) cannot be \"\(text.printable)\"", hint: "give a whole number")
                }
                counts[name] = count
            } else if Self.timeNames.contains(name) {
                guard let seconds = Double(text), seconds.isFinite, abs(seconds) < 1e9 else {
                    throw Self.invalid("\(name) cannot be \"\(text.printable)\"", hint: "give seconds, such as 2.5")
                }
                times[name] = .seconds(seconds)
            } else {
                throw Self.invalid(
                    "there is no limit \"\(name.printable)\"",
                    hint: "give \((Self.countNames + Self.timeNames).joined(separator: ", ")), each with = and a value")
            }
        }
        self.init(
            connections: counts["connections"], connectionsPerAddress: counts["connectionsPerAddress"],
            reservedConnections: counts["reservedConnections"], streams: counts["streams"])
        headerDeadline = times["headerDeadline"] ?? headerDeadline
        bodyDeadline = times["bodyDeadline"] ?? bodyDeadline
        idleTimeout = times["idleTimeout"] ?? idleTimeout
        try validate()
    }

    /// Throws if a limit makes no sense.
    func validate() throws(ServerError) {
        let counts = [
            ("connections", connections, 1...65_536),
            ("connectionsPerAddress", connectionsPerAddress, 1...max(1, connections)),
            ("reservedConnections", reservedConnections, 0...max(0, connections - 1)),
            ("streams", streams, 0...max(0, connections - 1)),
        ]
        for (name, value, range) in counts where !range.contains(value) {
            throw Self.invalid(
                "\(name) cannot be \(value)",
                hint: range.count == 1
                    ? "give \(range.lowerBound)" : "give \(range.lowerBound) to \(range.upperBound)")
        }
        let times = [
            ("headerDeadline", headerDeadline), ("bodyDeadline", bodyDeadline), ("idleTimeout", idleTimeout),
        ]
        for (name, value) in times where value <= .zero || value > Self.longestTime {
            throw Self.invalid("\(name) cannot be \(seconds(value)) s", hint: "give more than 0 and at most 3600 s")
        }
    }

    private static let countNames = ["connections", "connectionsPerAddress", "reservedConnections", "streams"]
    private static let timeNames = ["headerDeadline", "bodyDeadline", "idleTimeout"]
    private static let longestTime = Duration.seconds(3600)

    /// A duration describes itself with the error of its conversion: 3601 as 3600.9999999999995.
    private func seconds(_ time: Duration) -> Double {
        Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private static func invalid(_ message: String, hint: String) -> ServerError {
        ServerError(.invalidConfiguration, message, hint: hint)
    }
}
