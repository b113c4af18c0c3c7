import CTracerMicroHTTPD
import LifetimeTracerDashboard

/// The header fields of a request, as libmicrohttpd holds them.
struct RequestHead {
    private let connection: OpaquePointer

    /// Creates a view of the head of the request on a connection.
    ///
    /// Valid only inside a callback of that connection.
    init(connection: OpaquePointer) {
        self.connection = connection
    }

    /// The fields in the order of their arrival.
    ///
    /// Bytes that are not valid UTF-8 become U+FFFD.
    var fields: HTTPHeaders {
        var fields: [HTTPHeaders.Field] = []
        fields.reserveCapacity(8)
        withUnsafeMutablePointer(to: &fields) { fields in
            // The pointer is used only during the call.
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, appendField, fields)
        }
        return HTTPHeaders(fields)
    }

    /// The total size of all fields in bytes, counting four bytes of punctuation for each field.
    var size: Int {
        var size = 0
        withUnsafeMutablePointer(to: &size) { size in
            // The pointer is used only during the call.
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, addSize, size)
        }
        return size
    }

    /// Whether a body follows the head.
    var announcesBody: Bool {
        MHD_lookup_connection_value(connection, .HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH) != nil
            || MHD_lookup_connection_value(connection, .HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING) != nil
    }

    /// The announced length of the body, or `nil` without an announcement.
    ///
    /// A number that does not fit an `Int` counts as `Int.max`.
    var contentLength: Int? {
        guard let text = MHD_lookup_connection_value(connection, .HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH) else {
            return nil
        }
        // libmicrohttpd has already refused a value that is not a number.
        return Int(String(cString: text)) ?? .max
    }
}

// In both functions, `context` points to the variable of the caller above, and the texts are libmicrohttpd's and valid
// during the call.

private func appendField(
    _ context: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameSize: Int,
    _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    guard let context else { return .NO }
    context.assumingMemoryBound(to: [HTTPHeaders.Field].self).pointee.append(
        HTTPHeaders.Field(text(name, nameSize), text(value, valueSize)))
    return .YES
}

private func addSize(
    _ context: UnsafeMutableRawPointer?, _: MHD_ValueKind, _: UnsafePointer<CChar>?, _ nameSize: Int,
    _: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    guard let context else { return .NO }
    context.assumingMemoryBound(to: Int.self).pointee += nameSize + valueSize + 4
    return .YES
}

private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}
