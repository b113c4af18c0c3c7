import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reaches a server over TCP.
struct SessionTransport: APITransport {
    private let base: URL
    private let token: String?
    private let session: URLSession

    /// How long an answer may take, in seconds.
    static let timeout = 5.0

    init(base: URL, token: String?) {
        self.base = base
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.timeout
        session = URLSession(configuration: configuration)
    }

    func get(_ path: String) async throws(CheckFailure) -> APIReply {
        let root = base.absoluteString.hasSuffix("/") ? base.absoluteString : base.absoluteString + "/"
        guard let url = URL(string: root + path) else { throw .unusable("\(root)\(path) is no URL") }
        var request = URLRequest(url: url)
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw .unreachable("cannot reach \(base.absoluteString): \(error.localizedDescription)")
        }
        guard let response = response as? HTTPURLResponse else {
            throw .unusable("\(base.absoluteString) did not answer in HTTP")
        }
        return APIReply(status: response.statusCode, body: data)
    }
}
