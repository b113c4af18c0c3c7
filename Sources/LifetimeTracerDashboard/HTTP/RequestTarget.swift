/// A parsed and percent-decoded request target.
///
/// Parsing is strict: a target that does not decode to UTF-8 without zero bytes is refused, never repaired. The path
/// stays split into segments, so an encoded slash in a segment is not a separator. Dot segments are not resolved: `..`
/// is a segment like any other.
struct RequestTarget: Sendable {
    /// A name and a value in a query.
    struct QueryItem: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// The path as sent, if no character of it is percent-encoded.
    let plainPath: String?
    /// The names and values of the query, in order.
    let query: [QueryItem]

    private let decodedSegments: [String]

    /// Parses a target.
    ///
    /// - Parameter target: The target as sent, such as `/api/v1/types?sort=live`.
    init(_ target: String) throws(RequestError) {
        var target = target
        let parts = target.withUTF8(Self.parts)
        guard parts.hasSlash else { throw .malformedTarget(target, "the path does not begin with a slash") }
        guard parts.isPrintable else {
            throw .malformedTarget(target, "some characters must be percent-encoded")
        }
        guard parts.isEncoded || parts.path < target.utf8.count else {
            (plainPath, decodedSegments, query) = (target, [], [])
            return
        }
        let bytes = Array(target.utf8)
        let path = bytes[..<parts.path]
        if parts.isEncoded {
            var segments: [String] = []
            for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                segments.append(try Self.decoded(segment, of: target, plusIsSpace: false))
            }
            (plainPath, decodedSegments) = (nil, segments)
        } else {
            (plainPath, decodedSegments) = (String(decoding: path, as: UTF8.self), [])
        }
        query = try Self.query(bytes.dropFirst(path.count + 1), of: target)
    }

    /// The parts of the path between slashes; one empty part for `/`.
    var segments: [String] {
        guard let plainPath else { return decodedSegments }
        return plainPath.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// What one look at the bytes of a target finds.
    private struct Parts {
        /// Whether the first byte is a slash.
        let hasSlash: Bool
        /// Whether all bytes are visible characters that may be part of a target.
        let isPrintable: Bool
        /// Whether the path has percent signs.
        let isEncoded: Bool
        /// The length of the path.
        let path: Int
    }

    private static func parts(_ bytes: UnsafeBufferPointer<UInt8>) -> Parts {
        var isPrintable = true
        var isEncoded = false
        var path = bytes.count
        for (position, byte) in bytes.enumerated() {
            if !(0x21...0x7E).contains(byte) || byte == UInt8(ascii: "#") { isPrintable = false }
            guard path == bytes.count else { continue }
            if byte == UInt8(ascii: "?") { path = position }
            if byte == UInt8(ascii: "%") { isEncoded = true }
        }
        return Parts(
            hasSlash: bytes.first == UInt8(ascii: "/"), isPrintable: isPrintable, isEncoded: isEncoded, path: path)
    }

    private static func query(
        _ bytes: ArraySlice<UInt8>, of target: String
    ) throws(RequestError) -> [QueryItem] {
        guard !bytes.isEmpty else { return [] }
        var items: [QueryItem] = []
        for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            items.append(
                QueryItem(
                    name: try decoded(name, of: target, plusIsSpace: true),
                    value: try decoded(pair.dropFirst(name.count + 1), of: target, plusIsSpace: true)))
        }
        return items
    }

    private static func decoded(
        _ bytes: ArraySlice<UInt8>, of target: String, plusIsSpace: Bool
    ) throws(RequestError) -> String {
        // Most parts contain nothing to decode, and the characters of a target are ASCII.
        let needsDecoding = { (byte: UInt8) in byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") && plusIsSpace }
        guard bytes.contains(where: needsDecoding) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "%"):
                guard position + 1 < bytes.endIndex, let high = hexValue(bytes[position]),
                    let low = hexValue(bytes[position + 1])
                else { throw .malformedTarget(target, "a percent sign is not followed by two hexadecimal digits") }
                position += 2
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        guard !result.contains(0) else { throw .malformedTarget(target, "a zero byte is not allowed") }
        guard let text = String(validating: result, as: UTF8.self) else {
            throw .malformedTarget(target, "the text is not UTF-8")
        }
        return text
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension RequestError {
    fileprivate static func malformedTarget(_ target: String, _ reason: String) -> Self {
        Self(
            status: 400, code: "malformedTarget",
            message: "The request target \"\(target.shortened)\" is invalid: \(reason).",
            hint: "Send an absolute path, percent-encoded: a space is %20, a percent sign %25.")
    }
}
