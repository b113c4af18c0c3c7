/// An answer as the dashboard gives it; sending it is the server's work.
public struct HTTPResponse: Sendable {
    /// What is sent after the headers.
    public enum Body: Sendable {
        /// These bytes. For a `HEAD` request, and with status 304, the server sends their length and not the bytes.
        case bytes([UInt8])
        /// Bytes that live as long as the process: the page's parts.
        case immortal(ImmortalBytes)
        /// Bytes that come over time: server-sent events, a slow answer.
        case stream(any ResponseStream)
    }

    /// The status code.
    public var status: Int
    /// The header fields, without `Content-Length`, `Date` and `Connection`, which are the server's.
    public var headers: HTTPHeaders
    /// What is sent after the headers.
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
/// `@unchecked Sendable` is safe because nobody writes to the region after the program is loaded.
public struct ImmortalBytes: @unchecked Sendable {
    /// The region.
    public let buffer: UnsafeRawBufferPointer

    /// Wraps a region that stays valid and unchanged until the process ends.
    public init(_ buffer: UnsafeRawBufferPointer) {
        self.buffer = buffer
    }
}
