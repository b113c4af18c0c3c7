/// Limits of a server; the defaults suit a dashboard that a few browsers and a scraper look at.
package struct ServerConfiguration: Sendable {
    /// Where to listen.
    package var address: ListenAddress
    /// How many connections and streams are served, and how long a client may take.
    package var limits: ServerLimits
    /// The largest body of a request in bytes.
    package var bodyLimit = 64 * 1024
    /// The longest target, `/path?query`, in bytes.
    package var targetLimit = 8 * 1024
    /// How large the header fields of a request may be together, in bytes, with four for each for its punctuation.
    package var headersLimit = 16 * 1024
    /// How often the clients are looked at whose request is awaited, and those of waiting streams; the end of a client
    /// counts when it is seen twice.
    package var probeInterval = Duration.milliseconds(400)
    /// For how long connections must have been accepted before the next failure to do so is logged.
    package var shortageEpisodeGap = Duration.seconds(10)
    /// For how long a server that stops waits for its streams to end in order.
    package var streamGrace = Duration.milliseconds(200)
    /// What an event of the server's own goes to.
    package var log: @Sendable (ServerEvent) -> Void

    /// Creates limits for a server at `address`.
    ///
    /// Without `log`, faults go to standard error, one a second at most.
    package init(
        address: ListenAddress = .standard, limits: ServerLimits = ServerLimits(),
        log: (@Sendable (ServerEvent) -> Void)? = nil
    ) {
        self.address = address
        self.limits = limits
        self.log = log ?? FaultReport.toStandardError()
    }

    /// Memory of a connection for a request and the head of its answer.
    ///
    /// Twice what a request may have, so that most requests over the limits are read far enough to be answered by us
    /// and not by libmicrohttpd.
    var connectionMemory: Int { max(2 * (targetLimit + headersLimit), 32 * 1024) }

    /// How much of a body that turned out too large is read before the connection is cut: enough for an honest client
    /// to end it and to see the answer.
    var swallowLimit: Int { 8 * bodyLimit }

    /// Throws if a limit makes no sense.
    func validate() throws(ServerError) {
        try limits.validate()
        let counts = [
            ("bodyLimit", bodyLimit, 0...(1 << 30)),
            ("targetLimit", targetLimit, 1...(1 << 20)),
            ("headersLimit", headersLimit, 1...(1 << 20)),
        ]
        for (name, value, range) in counts where !range.contains(value) {
            throw ServerError(
                .invalidConfiguration, "\(name) cannot be \(value)",
                hint: "give \(range.lowerBound) to \(range.upperBound)")
        }
        guard probeInterval > .zero else {
            throw ServerError(
                .invalidConfiguration, "probeInterval cannot be \(probeInterval)", hint: "give more than 0 seconds")
        }
    }
}
