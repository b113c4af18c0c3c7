#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A socket address to connect to.
struct SocketEndpoint {
    let family: Int32
    private let bytes: [UInt8]

    /// Returns the addresses of a server in the system's order of preference.
    ///
    /// Blocks during a name lookup.
    static func all(of server: ServerAddress) throws(SocketConnection.Failure) -> [SocketEndpoint] {
        switch server {
        case .tcp(let host, let port): try lookedUp(host, port)
        case .unix(let path): [try unix(path)]
        }
    }

    /// Calls `body` with a pointer to the address, for `connect`.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        // Safe: `sockaddr_storage` is by definition large enough for every address, and aligned for each.
        return withUnsafeMutableBytes(of: &storage) { storage in
            storage.copyBytes(from: bytes)
            return storage.withMemoryRebound(to: sockaddr.self) { addresses in
                guard let address = addresses.baseAddress else { preconditionFailure("a socket address has no bytes") }
                return body(address, socklen_t(bytes.count))
            }
        }
    }

    private static func lookedUp(_ host: String, _ port: UInt16) throws(SocketConnection.Failure) -> [SocketEndpoint] {
        var hints = addrinfo()
        #if canImport(Darwin) || canImport(Musl)
        hints.ai_socktype = SOCK_STREAM
        #else
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw .system(String(cString: gai_strerror(status))) }
        // The caller must free the list; the addresses are copied first.
        defer { freeaddrinfo(list) }
        var found: [SocketEndpoint] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
                found.append(SocketEndpoint(family: entry.ai_family, bytes: Array(bytes)))
            }
            next = entry.ai_next
        }
        return found
    }

    private static func unix(_ path: String) throws(SocketConnection.Failure) -> SocketEndpoint {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            throw .unusable(
                "has a path of \(path.utf8.count) bytes; the path of a Unix socket has at most \(room - 1) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return SocketEndpoint(family: AF_UNIX, bytes: withUnsafeBytes(of: address, Array.init))
    }
}
