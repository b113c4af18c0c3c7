/// Something that happened in the server and that no client can be told.
package enum ServerEvent: Sendable, Equatable {
    /// A mistake in this program: an answer that cannot be sent as it is.
    case fault(String)
    /// What libmicrohttpd says: mostly of clients that break the protocol, and of limits of the system.
    case library(String)
}
