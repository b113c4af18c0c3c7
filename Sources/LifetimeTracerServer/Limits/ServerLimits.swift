import TracerBase

/// The number of connections that a server accepts, and how long it waits for a client.
///
/// ```swift
/// let server = TracerServer(limits: ServerLimits(connections: 64, headerDeadline: .seconds(2)))
/// ```
///
/// The initializer derives the limits that are not given from `connections`. ``TracerServer/start()`` checks them.
public struct ServerLimits: Sendable, Hashable {
    /// The most connections at a time; each takes one file descriptor of the program.
    public var connections: Int
    /// The most connections of one client address, whether it belongs to a client or a proxy.
    ///
    /// For IPv6 one /64 network counts as one address. The limit does not apply to a Unix socket, where all clients are
    /// the same user.
    public var connectionsPerAddress: Int
    /// The number of connections reserved for addresses that have few.
    public var reservedConnections: Int
    /// The most event streams at a time; a further one is answered with status 503.
    public var streams: Int
    /// The time allowed for the header of a request, from the opening of the connection or from the first line of a
    /// later request.
    public var headerDeadline: Duration
    /// The time allowed for the body of a request, from the end of its header.
    public var bodyDeadline: Duration
    /// How long a connection may be inactive in both directions, and how long it is kept open for another request;
    /// rounded up to whole seconds.
    public var idleTimeout: Duration

    /// Creates limits and derives those that are not given.
    ///
    /// - Parameters:
    ///   - connections: By default 256, or a quarter of the program's descriptor limit if that is less, at least 8.
    ///   - connectionsPerAddress: By default three quarters of `connections`.
    ///   - reservedConnections: By default an eighth of `connections`.
    ///   - streams: By default a quarter of `connections`.
    ///   - headerDeadline: The time allowed for the header of a request.
    ///   - bodyDeadline: The time allowed for the body of a request.
    ///   - idleTimeout: How long a connection may be inactive.
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

    /// The default number of connections: 256, or a quarter of the program's descriptor limit (`RLIMIT_NOFILE`) if that
    /// is less, but at least 8.
    package static var standardConnections: Int {
        min(256, max(8, DescriptorLimit.current / 4))
    }

    /// The number of connections below which an address may use the ``reservedConnections``: enough for a browser and a
    /// scraper.
    package static let fewConnections = 8

    /// The most evicted connections that may be waiting to be closed; they take descriptors in addition to
    /// ``connections``.
    static let closingConnections = 16

    /// Reads limits in the format of `LIFETIME_TRACER_LIMITS`: `connections=64,headerDeadline=2.5`.
    ///
    /// The names are those of the properties, and times are in seconds. Limits not given are derived as by the other
    /// initializer.
    ///
    /// - Throws: ``ServerError`` with the code `invalidConfiguration` if a name or a value is invalid.
    package init(list: String) throws(ServerError) {
        var counts: [String: Int] = [:]
        var times: [String: Duration] = [:]
        for item in list.split(separator: ",") where !item.allSatisfy({ $0 == " " }) {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.trimmed(parts[0])
            let text = parts.count == 2 ? Self.trimmed(parts[1]) : ""
            guard counts[name] == nil, times[name] == nil else {
                throw Self.invalid("the limit \(name) is given twice", hint: "give each limit once")
            }
            if Self.countNames.contains(name) {
                guard let count = Int(text) else {
                    throw Self.invalid(
                        "\(name) = \"\(text.printablePrefix)\" is not a number", hint: "use a whole number")
                }
                counts[name] = count
            } else if Self.timeNames.contains(name) {
                guard let seconds = Double(text), seconds.isFinite, abs(seconds) < 1e9 else {
                    throw Self.invalid(
                        "\(name) = \"\(text.printablePrefix)\" is not a time", hint: "use seconds, such as 2.5")
                }
                times[name] = .seconds(seconds)
            } else {
                throw Self.invalid(
                    "\"\(name.printablePrefix)\" is not the name of a limit",
                    hint: "use \((Self.countNames + Self.timeNames).joined(separator: ", ")), each with = and a value")
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

    /// Throws if a limit is out of range.
    func validate() throws(ServerError) {
        let counts = [
            ("connections", connections, 1...65_536),
            ("connectionsPerAddress", connectionsPerAddress, 1...max(1, connections)),
            ("reservedConnections", reservedConnections, 0...max(0, connections - 1)),
            ("streams", streams, 0...max(0, connections - 1)),
        ]
        for (name, value, range) in counts where !range.contains(value) {
            throw Self.invalid(
                "\(name) = \(value) is out of range",
                hint: range.count == 1
                    ? "use \(range.lowerBound)" : "use \(range.lowerBound) to \(range.upperBound)")
        }
        let times = [
            ("headerDeadline", headerDeadline), ("bodyDeadline", bodyDeadline), ("idleTimeout", idleTimeout),
        ]
        for (name, value) in times where value < Self.shortestTime || value > Self.longestTime {
            throw Self.invalid(
                "\(name) = \(seconds(value)) s is out of range", hint: "use 0.001 to 3600 s")
        }
    }

    private static let countNames = ["connections", "connectionsPerAddress", "reservedConnections", "streams"]
    private static let timeNames = ["headerDeadline", "bodyDeadline", "idleTimeout"]
    private static let shortestTime = Duration.milliseconds(1)
    private static let longestTime = Duration.seconds(3600)

    /// Converts a duration to seconds.
    ///
    /// The description of a duration has a rounding error: it prints 3601 s as 3600.9999999999995.
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
