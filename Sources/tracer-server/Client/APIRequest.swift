/// A request to a server.
struct APIRequest: Sendable, Equatable {
    let method: String
    /// From the server's root, without the slash in front: `api/v1/summary`.
    let path: String
    /// JSON, for a request that has a body.
    let body: String?

    static func get(_ path: String) -> Self {
        Self(method: "GET", path: path, body: nil)
    }

    static func post(_ path: String, json: String) -> Self {
        Self(method: "POST", path: path, body: json)
    }
}

/// Brings requests to a server.
protocol APITransport: Sendable {
    /// Sends a request and returns the answer, whatever its status.
    ///
    /// - Throws: ``ClientFailure`` when there is no answer.
    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply
}

extension APITransport {
    func get(_ path: String) async throws(ClientFailure) -> APIReply {
        try await send(.get(path))
    }
}
