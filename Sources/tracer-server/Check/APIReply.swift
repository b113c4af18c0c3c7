import Foundation

/// What came back to a request, whichever way it went.
struct APIReply: Sendable {
    let status: Int
    let body: Data
}

/// Brings requests to a server.
protocol APITransport: Sendable {
    /// Gets a path from the server's root: `api/v1/summary`.
    ///
    /// - Throws: ``CheckFailure`` when there is no answer.
    func get(_ path: String) async throws(CheckFailure) -> APIReply
}

extension APIReply {
    /// The body, read as JSON.
    func decoded<Value: Decodable>(_ type: Value.Type, of path: String) throws(CheckFailure) -> Value {
        switch status {
        case 200:
            break
        case 401:
            throw .unusable("the server wants a token: set LIFETIME_TRACER_TOKEN to the one it was started with")
        default:
            let message = (try? JSONDecoder().decode(WireFailure.self, from: body))?.error
            let text = message.map { ": \($0.message) \($0.hint)" } ?? ""
            throw .unusable("/\(path) was answered with status \(status)\(text)")
        }
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw .unusable("/\(path) was not answered with the JSON of LifetimeTracer: is it another program?")
        }
    }
}

private struct WireFailure: Decodable {
    struct Failure: Decodable {
        let message: String
        let hint: String
    }

    let error: Failure
}
