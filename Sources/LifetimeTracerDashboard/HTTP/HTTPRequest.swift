/// A request as the dashboard sees it: no socket, no connection, only what was asked.
///
/// Build one from whatever server the dashboard is mounted in.
public struct HTTPRequest: Sendable {
    /// How the request came in; a Unix socket is guarded by its file mode, so the `Host` check does not apply to it.
    public enum Transport: Sendable {
        case tcp
        case unixSocket
    }

    /// The method in upper case, as sent, such as `GET`.
    public var method: String
    /// The request target as sent, still percent-encoded: `/api/v1/types?sort=live`.
    public var target: String
    /// The header fields in the order in which they came.
    public var headers: HTTPHeaders
    /// The whole body.
    public var body: [UInt8]
    /// How the request came in.
    public var transport: Transport
    /// The numeric IP address of the client, such as `192.0.2.7` or `2001:db8::1`; `nil` where it is not known.
    ///
    /// By it those who guess access tokens are told from others. Behind a proxy it is that of the proxy.
    public var clientAddress: String?

    /// Creates a request.
    public init(
        method: String, target: String, headers: HTTPHeaders = [], body: [UInt8] = [], transport: Transport = .tcp,
        clientAddress: String? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.transport = transport
        self.clientAddress = clientAddress
    }
}
