import TracerBase

/// The response to a request.
struct APIReply: Sendable {
    let status: Int
    let body: [UInt8]
    /// The target of a redirect.
    var location: String?
}

extension APIReply {
    /// Decodes the JSON body.
    ///
    /// - Throws: ``ClientFailure`` for any other status, with the server's message and a remedy, and for other JSON.
    func decoded<Value: Decodable>(
        _ type: Value.Type, of path: String, status expected: Int = 200
    ) throws(ClientFailure) -> Value {
        switch status {
        case expected:
            break
        case 300..<400:
            throw .unusable(
                "the server redirects to \((location ?? "another address").shown); redirects are not followed, because "
                    + "they could send the access token to another server; if you trust the new address, use that "
                    + "address instead")
        case 401:
            let reason = failure?.message ?? "The request has no access token."
            throw .unusable(
                "the server refuses the request: \(reason) Pass the server's access token with --token-file, "
                    + "LIFETIME_TRACER_TOKEN or LIFETIME_TRACER_TOKEN_FILE")
        default:
            throw .unusable(
                refusal ?? "/\(path.shown) returned status \(status); another program may be listening at this address")
        }
        do {
            return try json().decoded(as: type)
        } catch {
            throw .unusable(
                "/\(path.shown) did not return the JSON of LifetimeTracer; another program may be listening at this "
                    + "address")
        }
    }

    /// Returns the message of the server's error if the error has this code; otherwise `nil`.
    func message(ofErrorWithCode code: String) -> String? {
        failure.flatMap { $0.code == code ? $0.message : nil }
    }

    /// Returns the server's message and a remedy if the response has this status; otherwise `nil`.
    func refusal(withStatus expected: Int) -> String? {
        status == expected ? refusal : nil
    }

    private var refusal: String? {
        failure.map { failure in
            let remedy = CommandRemedy.remedy(for: failure.code, hint: failure.hint)
            return remedy.map { "\(failure.message) \($0)" } ?? failure.message
        }
    }

    private var failure: WireFailure.Failure? {
        try? json().decoded(as: WireFailure.self).error
    }

    private func json() throws(JSONError) -> JSONValue {
        // No document of the API has more than a dozen levels.
        try JSONReader.read(body, size: SocketConnection.answerLimit, depth: 64)
    }
}

extension String {
    /// The first 200 characters, for an error message.
    fileprivate var shown: String {
        count > 200 ? "\(prefix(200))…" : self
    }
}

private struct WireFailure: Decodable {
    struct Failure: Decodable {
        let code: String
        let message: String
        let hint: String
    }

    let error: Failure
}
