/// A host with an optional port: the value of `Host`, or the part of `Origin` behind the scheme.
struct HostName: Sendable, Hashable {
    /// The host in lower case; IPv6 addresses in brackets.
    let host: String
    /// The port, if given.
    let port: UInt16?

    /// Parses a host with an optional port; `nil` for any other text.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            guard bytes[1..<bracket].allSatisfy(Self.isAddressByte), bracket > 1 else { return nil }
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard end > 0, bytes[..<end].allSatisfy(Self.isNameByte) else { return nil }
        }
        host = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        guard end < bytes.count else {
            port = nil
            return
        }
        let digits = bytes[(end + 1)...]
        guard bytes[end] == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(Self.isDigit),
            let number = UInt16(String(decoding: digits, as: UTF8.self))
        else { return nil }
        port = number
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: isDigit(byte)
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"),
            UInt8(ascii: "."):
            true
        default: isDigit(byte)
        }
    }
}
