#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The unit in which clients are counted: an IPv4 address, or the 64-bit prefix of an IPv6 address, because one machine
/// can use any address within such a prefix.
struct ClientNetwork: Sendable, Hashable {
    /// Whether this is a loopback address of the machine.
    let isLoopback: Bool

    private let bytes: [UInt8]

    /// Parses a numeric address; `nil` for any other text.
    init?(_ address: String) {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            self.init(four: withUnsafeBytes(of: &four) { Array($0) })
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
        if bytes.starts(with: mapped) {
            self.init(four: Array(bytes.dropFirst(mapped.count)))
        } else {
            let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
            self.init(bytes: Array(bytes.prefix(8)), isLoopback: isLoopback)
        }
    }

    private init(four: [UInt8]) {
        self.init(bytes: four, isLoopback: four.first == 127)
    }

    private init(bytes: [UInt8], isLoopback: Bool) {
        self.bytes = bytes
        self.isLoopback = isLoopback
    }
}
