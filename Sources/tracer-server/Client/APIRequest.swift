/// A request to a server.
struct APIRequest: Sendable, Equatable {
    let method: String
    /// The path and query, without the leading slash: `api/v1/summary`.
    let path: String
    /// The JSON body, if the request has one.
    let body: String?

    static func get(_ path: String) -> Self {
        Self(method: "GET", path: path, body: nil)
    }

    static func post(_ path: String, json: String) -> Self {
        Self(method: "POST", path: path, body: json)
    }
}

/// Sends requests to a server.
protocol APITransport: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// - Throws: ``ClientFailure`` if no response arrives.
    func send(_ request: APIRequest) async throws(ClientFailure) -> APIReply
}

extension APITransport {
    func get(_ path: String) async throws(ClientFailure) -> APIReply {
        try await send(.get(path))
    }
}
