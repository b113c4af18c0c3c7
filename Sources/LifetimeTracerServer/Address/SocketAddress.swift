import CTracerSystem

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A socket address in the form of the system calls.
struct SocketAddress: Equatable {
    // Large enough and aligned for every kind of address; the system calls and the accessors below therefore use its
    // memory as that of another kind.
    private var storage = sockaddr_storage()
    private var length = socklen_t(0)

    /// Creates the address of an IP address or `localhost` and a port; `nil` for any other host.
    init?(host: String, port: UInt16) {
        var version4 = sockaddr_in()
        var version6 = sockaddr_in6()
        if inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &version4.sin_addr) == 1 {
            version4.sin_family = sa_family_t(AF_INET)
            version4.sin_port = port.bigEndian
            store(version4)
        } else if inet_pton(AF_INET6, host, &version6.sin6_addr) == 1 {
            version6.sin6_family = sa_family_t(AF_INET6)
            version6.sin6_port = port.bigEndian
            store(version6)
        } else {
            return nil
        }
    }

    /// Creates the address of a socket in the file system; `nil` if the path is longer than ``longestPath``.
    init?(path: String) {
        guard path.utf8.count <= Self.longestPath else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        store(address)
    }

    /// Returns the address to which a socket is bound.
    init?(boundTo descriptor: Int32) {
        self.init { getsockname(descriptor, $0, $1) }
    }

    /// Returns the address of a connection's peer.
    init?(peerOf descriptor: Int32) {
        self.init { getpeername(descriptor, $0, $1) }
    }

    private init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failure = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &length) }
        }
        guard failure == 0 else { return nil }
        self.length = length
    }

    /// Accepts a connection and stores the address of its client.
    ///
    /// - Returns: The socket of the connection, or -1 with `errno` set.
    mutating func accept(from listener: Int32) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { lt_accept(listener, $0, &length) }
        }
        self.length = length
        return descriptor
    }

    /// Creates an empty address for ``accept(from:)`` to fill.
    init() {}

    /// The longest path of a socket, in bytes, without the terminating zero.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// `AF_INET`, `AF_INET6` or `AF_UNIX`.
    var family: Int32 { Int32(storage.ss_family) }

    var isIPv6: Bool { family == AF_INET6 }

    /// The port; 0 for a socket in the file system.
    var port: UInt16 {
        switch family {
        case AF_INET: UInt16(bigEndian: load(sockaddr_in.self).sin_port)
        case AF_INET6: UInt16(bigEndian: load(sockaddr_in6.self).sin6_port)
        default: 0
        }
    }

    /// The numeric IP address, without brackets; `nil` for a socket in the file system.
    var host: String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let size = socklen_t(text.count)
        let written =
            switch family {
            case AF_INET:
                withUnsafeBytes(of: load(sockaddr_in.self).sin_addr) { inet_ntop(AF_INET, $0.baseAddress, &text, size) }
            case AF_INET6:
                withUnsafeBytes(of: load(sockaddr_in6.self).sin6_addr) {
                    inet_ntop(AF_INET6, $0.baseAddress, &text, size)
                }
            default: UnsafePointer<CChar>?.none
            }
        return written.map { String(cString: $0) }
    }

    /// Whether the address is 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        switch family {
        case AF_INET:
            return UInt32(bigEndian: load(sockaddr_in.self).sin_addr.s_addr) >> 24 == 127
        case AF_INET6:
            return withUnsafeBytes(of: load(sockaddr_in6.self).sin6_addr) { bytes in
                bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
            }
        default:
            return false
        }
    }

    /// Whether the address is 0.0.0.0 or `::`, which stand for every address of this machine.
    var isWildcard: Bool {
        switch family {
        case AF_INET: load(sockaddr_in.self).sin_addr.s_addr == 0
        case AF_INET6: withUnsafeBytes(of: load(sockaddr_in6.self).sin6_addr) { $0.allSatisfy { $0 == 0 } }
        default: false
        }
    }

    /// The part of an IP address that identifies a client; `nil` for other addresses.
    ///
    /// That is the whole IPv4 address, or the /64 network of an IPv6 address.
    var network: UInt64? {
        switch family {
        case AF_INET: UInt64(load(sockaddr_in.self).sin_addr.s_addr)
        case AF_INET6: withUnsafeBytes(of: load(sockaddr_in6.self).sin6_addr) { $0.loadUnaligned(as: UInt64.self) }
        default: nil
        }
    }

    /// Passes the address to `bind` or `connect`.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    static func == (left: SocketAddress, right: SocketAddress) -> Bool {
        left.withPointer { one, count in
            right.withPointer { other, otherCount in count == otherCount && memcmp(one, other, Int(count)) == 0 }
        }
    }

    private mutating func store<Address>(_ address: Address) {
        // `sockaddr_storage` is by definition large enough and suitably aligned for every address.
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: Address.self) }
        length = socklen_t(MemoryLayout<Address>.size)
    }

    private func load<Address>(_: Address.Type) -> Address {
        withUnsafeBytes(of: storage) { $0.load(as: Address.self) }
    }
}
