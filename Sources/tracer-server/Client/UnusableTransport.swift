/// Stands for a transport that cannot be made: every request fails with the reason.
///
/// So a command reports the reason in the way in which it reports that a server does not answer.
struct UnusableTransport: APITransport {
    let failure: ClientFailure

    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply {
        throw failure
    }
}
