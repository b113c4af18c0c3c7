import CTracerMicroHTTPD
import LifetimeTracerDashboard

/// A response in libmicrohttpd's form.
///
/// Owns one reference to the libmicrohttpd object.
///
/// `@unchecked Sendable` is safe because libmicrohttpd counts the references under a lock, and nothing else in the
/// object changes once it is made.
struct PreparedResponse: ~Copyable, @unchecked Sendable {
    let status: UInt32
    let raw: OpaquePointer

    private init(status: Int, raw: OpaquePointer) {
        self.status = UInt32(status)
        self.raw = raw
    }

    deinit {
        MHD_destroy_response(raw)
    }

    /// Creates a response with its bytes, or with immortal bytes.
    ///
    /// - Precondition: The body is no stream.
    /// - Throws: ``Unsendable`` if the status or a header field cannot be sent.
    static func make(_ response: HTTPResponse) throws(Unsendable) -> PreparedResponse {
        let raw =
            switch response.body {
            case .bytes(let bytes) where bytes.count >= LentBytes.least: LentBytes.response(bytes)
            case .bytes(let bytes): bytes.withUnsafeBytes { makeRaw($0, .RESPMEM_MUST_COPY) }
            case .immortal(let bytes): makeRaw(bytes.buffer, .RESPMEM_PERSISTENT)
            case .stream: preconditionFailure("A streamed body needs a session.")
            }
        return try make(response.status, response.headers, raw)
    }

    /// Creates a response whose bytes the caller keeps until the response is destroyed.
    ///
    /// - Throws: ``Unsendable`` if a header field cannot be sent.
    static func make(
        _ headers: HTTPHeaders, lending bytes: UnsafeRawBufferPointer
    ) throws(Unsendable) -> PreparedResponse {
        try make(200, headers, makeRaw(bytes, .RESPMEM_PERSISTENT))
    }

    /// Creates a response whose body comes from a session; for a `HEAD` request only the head is sent.
    ///
    /// - Throws: ``Unsendable`` if the status or a header field cannot be sent.
    static func make(
        status: Int, headers: HTTPHeaders, session: StreamSession, isHead: Bool
    ) throws(Unsendable) -> PreparedResponse {
        // The response owns one reference; `releaseSession` releases it when the response is destroyed.
        let context = Unmanaged.passRetained(session)
        let raw = MHD_create_response_from_callback(
            unknownSize, bufferSize, readFromSession, context.toOpaque(), releaseSession)
        if raw == nil { context.release() }
        let response = try make(status, headers, raw)
        // libmicrohttpd 0.9.75 would send the empty last chunk in response to a `HEAD` request as well. The client
        // would take that chunk for the beginning of the next response.
        if isHead, lt_mhd_end_by_closing(response.raw) != .YES {
            throw Unsendable(reason: "libmicrohttpd cannot end the response by closing the connection")
        }
        return response
    }

    private static func make(
        _ status: Int, _ headers: HTTPHeaders, _ raw: OpaquePointer?
    ) throws(Unsendable) -> PreparedResponse {
        guard let raw else { throw Unsendable(reason: "not enough memory for the response") }
        if let reason = objection(toStatus: status) {
            MHD_destroy_response(raw)
            throw Unsendable(reason: reason)
        }
        let response = PreparedResponse(status: status, raw: raw)
        for field in headers.fields {
            if let reason = HeaderCheck.objection(to: field) { throw Unsendable(reason: reason) }
            // Without the copies of both texts that Swift would make for the call.
            let isAdded = field.name.withCString { name in
                field.value.withCString { MHD_add_response_header(raw, name, $0) == .YES }
            }
            guard isAdded else {
                throw Unsendable(reason: "libmicrohttpd refuses the header field \(field.name)")
            }
        }
        return response
    }

    /// Returns the problem with a status, or `nil` if it can be sent.
    static func objection(toStatus status: Int) -> String? {
        (200...999).contains(status) ? nil : "\(status) is not the status of a final response"
    }

    private static func makeRaw(_ bytes: UnsafeRawBufferPointer, _ mode: MHD_ResponseMemoryMode) -> OpaquePointer? {
        // libmicrohttpd requires a non-null pointer even for no bytes, and does not write through it in either mode.
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(somewhere))
        return MHD_create_response_from_buffer(bytes.count, start, mode)
    }

    /// The reason why a response cannot be sent.
    struct Unsendable: Error {
        let reason: String
    }
}

/// `MHD_SIZE_UNKNOWN`, a macro that Swift does not import.
private let unknownSize = UInt64.max

/// Used only for HTTP/1.0 clients; others get chunks directly in the connection's memory.
private let bufferSize = 8192

/// A valid pointer to read zero bytes from.
///
/// `nonisolated(unsafe)` is safe because the memory is never written.
nonisolated(unsafe) private let somewhere = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

private func readFromSession(
    _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context else { return Int(MHD_CONTENT_READER_END_WITH_ERROR) }
    return Unmanaged<StreamSession>.fromOpaque(context).takeUnretainedValue()
        .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private func releaseSession(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    // Balances `passRetained` at the creation of the response.
    Unmanaged<StreamSession>.fromOpaque(context).release()
}
