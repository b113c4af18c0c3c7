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
    ///
    /// - Throws: ``CheckFailure`` for an answer with any other status, in the server's words.
    func decoded<Value: Decodable>(
        _ type: Value.Type, of path: String, status expected: Int = 200
    ) throws(CheckFailure) -> Value {
        switch status {
        case expected:
            break
        case 401:
            throw .unusable("the server wants a token: set LIFETIME_TRACER_TOKEN to the one it was started with")
        default:
            throw .unusable("/\(path) was answered with status \(status)\(refusal.map { ": \($0)" } ?? "")")
        }
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw .unusable("/\(path) was not answered with the JSON of LifetimeTracer: is it another program?")
        }
    }
}

extension APIReply {
    /// The server's words on why a request was refused with a status; `nil` for any other answer.
    func refusal(withStatus expected: Int) -> String? {
        status == expected ? refusal : nil
    }

    private var refusal: String? {
        (try? JSONDecoder().decode(WireFailure.self, from: body)).map { "\($0.error.message) \($0.error.hint)" }
    }
}

private struct WireFailure: Decodable {
    struct Failure: Decodable {
        let message: String
        let hint: String
    }

    let error: Failure
}
