/// The address and limits of a server; the defaults suit a dashboard for a few browsers and a scraper.
package struct ServerConfiguration: Sendable {
    /// The address to listen on.
    package var address: ListenAddress
    /// The number of connections and streams, and how long a client may take.
    package var limits: ServerLimits
    /// The largest request body, in bytes.
    package var bodyLimit = 64 * 1024
    /// The longest request target, `/path?query`, in bytes.
    package var targetLimit = 8 * 1024
    /// The largest total size of a request's header fields, in bytes, counting four bytes of punctuation for each
    /// field.
    package var headersLimit = 16 * 1024
    /// How often the server checks clients whose request it awaits, and those of waiting streams.
    ///
    /// A client counts as disconnected when two checks in a row find it so.
    package var probeInterval = Duration.milliseconds(400)
    /// How long accepting connections must have succeeded before the next failure is logged.
    package var shortageEpisodeGap = Duration.seconds(10)
    /// How long a stopping server waits for its streams to end in order.
    package var streamGrace = Duration.milliseconds(200)
    /// Receives the server's own events.
    package var log: @Sendable (ServerEvent) -> Void

    /// Creates the configuration of a server at `address`.
    ///
    /// Without `log`, faults go to standard error, at most one a second.
    package init(
        address: ListenAddress = .standard, limits: ServerLimits = ServerLimits(),
        log: (@Sendable (ServerEvent) -> Void)? = nil
    ) {
        self.address = address
        self.limits = limits
        self.log = log ?? FaultReport.toStandardError()
    }

    /// The memory of a connection for a request and the head of its response, in bytes.
    ///
    /// Twice the largest request, so that the server can read most requests over the limits far enough to answer them
    /// itself. Otherwise libmicrohttpd would answer them.
    var connectionMemory: Int { max(2 * (targetLimit + headersLimit), 32 * 1024) }

    /// How many bytes of an oversized body are read before the connection is cut.
    ///
    /// Enough for an honest client to finish sending and to see the response.
    var swallowLimit: Int { 8 * bodyLimit }

    /// Throws if a limit is out of range.
    func validate() throws(ServerError) {
        try limits.validate()
        let counts = [
            ("bodyLimit", bodyLimit, 0...(1 << 30)),
            ("targetLimit", targetLimit, 1...(1 << 20)),
            ("headersLimit", headersLimit, 1...(1 << 20)),
        ]
        for (name, value, range) in counts where !range.contains(value) {
            throw ServerError(
                .invalidConfiguration, "\(name) = \(value) is out of range",
                hint: "use \(range.lowerBound) to \(range.upperBound)")
        }
        guard probeInterval > .zero else {
            throw ServerError(
                .invalidConfiguration, "probeInterval = \(probeInterval) is out of range",
                hint: "use more than 0 seconds")
        }
    }
}
