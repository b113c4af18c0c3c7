#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The address of a client, as far as the limit of connections by address tells clients apart.
///
/// For IPv6 that is the /64 network: a client has all addresses of one.
struct ClientAddress: Hashable, Sendable {
    private let family: Int32
    private let network: UInt64

    /// The client's address; `nil` for a Unix socket, whose clients have none.
    init?(_ peer: SocketAddress) {
        guard let network = peer.network else { return nil }
        family = peer.family
        self.network = network
    }
}
