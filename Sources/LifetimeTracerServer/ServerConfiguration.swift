/// Limits of a server; the defaults suit a dashboard that a few browsers and a scraper look at.
package struct ServerConfiguration: Sendable {
    /// Where to listen.
    package var address: ListenAddress
    /// How many connections at a time; further ones wait in the system's queue until one of these ends.
    package var connectionLimit = 256
    /// How many streams at a time.
    ///
    /// Well below ``connectionLimit``, so that pages that stay open never lock others out.
    package var streamLimit = 64
    /// How long a connection may neither send nor take a byte; whole seconds, rounded up.
    package var idleTimeout = Duration.seconds(15)
    /// How long a request may take to arrive, counted from the connection or the answer before: the limit for those who
    /// send a byte a second.
    ///
    /// Longer than ``idleTimeout``.
    package var requestDeadline = Duration.seconds(30)
    /// The largest body of a request in bytes.
    package var bodyLimit = 64 * 1024
    /// The longest target, `/path?query`, in bytes.
    package var targetLimit = 8 * 1024
    /// How large the header fields of a request may be together, in bytes, with four for each for its punctuation.
    package var headersLimit = 16 * 1024
    /// How often the peers of waiting streams are looked at.
    package var probeInterval = Duration.seconds(1)
    /// What an event of the server's own goes to.
    package var log: @Sendable (ServerEvent) -> Void

    /// Creates limits for a server at `address`.
    ///
    /// Without `log`, faults go to standard error, one a second at most.
    package init(address: ListenAddress = .standard, log: (@Sendable (ServerEvent) -> Void)? = nil) {
        self.address = address
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
        let counts = [
            ("connectionLimit", connectionLimit, 1...65_536),
            ("streamLimit", streamLimit, 0...max(0, connectionLimit - 1)),
            ("bodyLimit", bodyLimit, 0...(1 << 30)),
            ("targetLimit", targetLimit, 1...(1 << 20)),
            ("headersLimit", headersLimit, 1...(1 << 20)),
        ]
        for (name, value, range) in counts where !range.contains(value) {
            throw ServerError(
                .invalidConfiguration, "\(name) cannot be \(value)",
                hint: "give \(range.lowerBound) to \(range.upperBound)")
        }
        guard idleTimeout > .zero, requestDeadline >= idleTimeout, probeInterval > .zero else {
            throw ServerError(
                .invalidConfiguration,
                "idleTimeout \(idleTimeout), requestDeadline \(requestDeadline), probeInterval \(probeInterval)"
                    + " do not fit together",
                hint: "all must be positive, and requestDeadline not shorter than idleTimeout")
        }
    }
}
