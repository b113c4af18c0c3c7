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
        guard isValue(field.value) else {
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

    /// Whether a value contains no control characters except tabs; looks at eight bytes of most values at a time.
    private static func isValue(_ text: String) -> Bool {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            !utf8.contains { $0.controls | $0.equals(0x7F) }
        }
        return isPlain == true || all(text, isValueByte)
    }

    private static func isOwnedByServer(_ name: String) -> Bool {
        switch name.utf8.count {
        case "date".utf8.count, "connection".utf8.count, "content-length".utf8.count, "transfer-encoding".utf8.count:
            ["connection", "content-length", "date", "transfer-encoding"].contains(name.lowercased())
        default: false
        }
    }

    /// Whether a byte may be part of a name: a letter, a digit, or one of `!#$%&'*+-.^_|~` and the grave accent.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        // A bit for each of the characters from 0 to 63, and for each of those from 64 to 127.
        let bits: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : byte < 128 ? 0x57FF_FFFF_C7FF_FFFE : 0
        return bits >> UInt64(byte & 63) & 1 == 1
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
    }
}
