#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The current addresses of this machine's network interfaces.
enum OwnAddresses {
    /// The addresses in the form of a `Host` header, IPv6 in brackets.
    ///
    /// Link-local addresses, which need a zone, are left out.
    static var hosts: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        // The list belongs to the system until `freeifaddrs`, and no pointer into it is kept.
        defer { freeifaddrs(list) }
        var hosts: [String] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            if let host = host(of: entry.pointee.ifa_addr) { hosts.append(host) }
        }
        return hosts
    }

    private static func host(of address: UnsafeMutablePointer<sockaddr>?) -> String? {
        guard let address else { return nil }
        let family = Int32(address.pointee.sa_family)
        let size: Int
        switch family {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var text = [CChar](repeating: 0, count: 64)
        let failure = getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard failure == 0 else { return nil }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard !host.contains("%") else { return nil }
        return family == AF_INET6 ? "[\(host)]" : host
    }
}
