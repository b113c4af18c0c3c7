/// An HTTP response of the dashboard; the server sends it.
public struct HTTPResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// Bytes in memory. For a `HEAD` request, and with status 304, the server sends only their length.
        case bytes([UInt8])
        /// Bytes that live as long as the process: the files of the page.
        case immortal(ImmortalBytes)
        /// Bytes that become available over time: server-sent events, a slow response.
        case stream(any ResponseStream)
    }

    /// The status code.
    public var status: Int
    /// The header fields, without `Content-Length`, `Date` and `Connection`, which the server adds.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A region of memory that is never freed and never written: a part of the executable's read-only data.
///
/// `@unchecked Sendable` is safe because no code writes to the region after the program is loaded.
public struct ImmortalBytes: @unchecked Sendable {
    /// The region.
    public let buffer: UnsafeRawBufferPointer

    /// Wraps a region that stays valid and unchanged until the process ends.
    public init(_ buffer: UnsafeRawBufferPointer) {
        self.buffer = buffer
    }
}
