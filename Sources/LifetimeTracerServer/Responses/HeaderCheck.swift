import LifetimeTracerDashboard
import TracerBase

/// Checks whether a header field can be sent unchanged.
enum HeaderCheck {
    /// Returns the problem with a field, or `nil` if the field is valid.
    ///
    /// libmicrohttpd refuses line breaks by itself. But it cuts a text at its first zero byte, and it would let a
    /// handler contradict the framing of the connection.
    static func objection(to field: HTTPHeaders.Field) -> String? {
        guard !field.name.isEmpty, all(field.name, isTokenByte) else {
            return "\"\(field.name.printablePrefix)\" is not a valid header field name"
        }
        guard !isOwnedByServer(field.name) else {
            return "the header field \(field.name) is reserved for the server"
        }
        guard !field.value.isEmpty else {
            return "the header field \(field.name) is empty"
        }
        guard all(field.value, isValueByte) else {
            return "the value \"\(field.value.printablePrefix)\" of the header field \(field.name) "
                + "contains control characters"
        }
        return nil
    }

    /// Whether all bytes of a text satisfy a condition; faster than over the text's view of its bytes.
    @inline(__always)
    private static func all(_ text: String, _ holds: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(holds) } ?? text.utf8.allSatisfy(holds)
    }

    private static func isOwnedByServer(_ name: String) -> Bool {
        switch name.utf8.count {
        case "date".utf8.count, "connection".utf8.count, "content-length".utf8.count, "transfer-encoding".utf8.count:
            ["connection", "content-length", "date", "transfer-encoding"].contains(name.lowercased())
        default: false
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // The punctuation !#$%&'*+-.^_`|~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
    }
}
