#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The address by which the limit of connections per address identifies a client.
///
/// For IPv6 that is the /64 network, because one client can use every address of its network.
struct ClientAddress: Hashable, Sendable {
    private let family: Int32
    private let network: UInt64

    /// Returns the client's address; `nil` for a Unix socket, whose clients have no address.
    init?(_ peer: SocketAddress) {
        guard let network = peer.network else { return nil }
        family = peer.family
        self.network = network
    }
}
