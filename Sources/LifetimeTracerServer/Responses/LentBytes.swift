import CTracerMicroHTTPD

/// The bytes of a response, which libmicrohttpd reads in place.
final class LentBytes {
    /// The least number of bytes to lend; copying fewer costs less than an object.
    static let least = 4096

    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a response that retains its bytes until it is destroyed.
    static func response(_ bytes: [UInt8]) -> OpaquePointer? {
        // Retained here for libmicrohttpd; `takeBack` releases it, or the line below if there is no response.
        let lent = Unmanaged.passRetained(LentBytes(bytes))
        // Safe: an array of bytes keeps them in one place for as long as it is retained and not changed, and
        // libmicrohttpd only reads them.
        let start = bytes.withUnsafeBytes { UnsafeMutableRawPointer(mutating: $0.baseAddress) }
        let raw = MHD_create_response_from_buffer_with_free_callback_cls(
            bytes.count, start, takeBack, lent.toOpaque())
        if raw == nil { lent.release() }
        return raw
    }
}

/// Called when a response that has lent bytes is destroyed.
private func takeBack(_ lent: UnsafeMutableRawPointer?) {
    // Balances `passRetained` at the creation of the response.
    if let lent { Unmanaged<LentBytes>.fromOpaque(lent).release() }
}
