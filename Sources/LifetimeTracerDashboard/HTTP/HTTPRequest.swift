/// An HTTP request, independent of sockets and connections.
///
/// The server in which the dashboard is mounted creates it.
public struct HTTPRequest: Sendable {
    /// The transport of a request.
    ///
    /// The `Host` check does not apply to a Unix socket, because its file mode protects it.
    public enum Transport: Sendable {
        /// A TCP connection.
        case tcp
        /// A connection to a socket in the file system.
        case unixSocket
    }

    /// The method as sent, in upper case: `GET`.
    public var method: String
    /// The request target as sent, still percent-encoded: `/api/v1/types?sort=live`.
    public var target: String
    /// The header fields, in the order of the request.
    public var headers: HTTPHeaders
    /// The complete body.
    public var body: [UInt8]
    /// The transport of the request.
    public var transport: Transport
    /// The numeric IP address of the client, such as `192.0.2.7` or `2001:db8::1`; `nil` if unknown.
    ///
    /// The limit of wrong access tokens counts clients by their addresses. Behind a proxy, it is the proxy's address.
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
