/// The body of a request with some texts and nothing else: `{"name":"before"}`.
struct TextBody: Sendable {
    private let texts: [String: String]

    /// The text of one of the keys.
    subscript(key: String) -> String {
        guard let text = texts[key] else {
            preconditionFailure("the key \(key) was not among the required keys of the body")
        }
        return text
    }

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - keys: The required keys.
    ///   - example: A valid body, for the hint.
    /// - Throws: ``RequestError`` for a body of any other form.
    init(_ bytes: [UInt8], keys: [String], example: String) throws(RequestError) {
        let body = try ObjectBody(bytes, keys: keys, example: example)
        var texts: [String: String] = [:]
        for key in keys {
            guard let value = body[key] else { throw body.error("The body has no \"\(key)\".") }
            guard let text = value.text else { throw body.error("The value of \"\(key)\" is not a string.") }
            texts[key] = text
        }
        self.texts = texts
    }
}
