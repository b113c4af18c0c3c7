/// An event in the server that cannot be reported to a client.
package enum ServerEvent: Sendable, Equatable {
    /// A programming error: a response that cannot be sent.
    case fault(String)
    /// A message of libmicrohttpd: mostly about clients that violate the protocol, and system limits.
    case library(String)
}
