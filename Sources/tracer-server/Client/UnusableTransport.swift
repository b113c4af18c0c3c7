/// A transport that fails every request with the same reason, for a transport that cannot be created.
///
/// A command thus reports the reason in the same way as a server that does not answer.
struct UnusableTransport: APITransport {
    let failure: ClientFailure

    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply {
        throw failure
    }
}
