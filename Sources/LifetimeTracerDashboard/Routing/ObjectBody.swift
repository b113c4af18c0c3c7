import TracerBase

/// The JSON object in the body of a request.
package struct ObjectBody: Sendable {
    private let object: JSONValue
    private let example: String

    /// The most levels of lists and objects.
    private static let depthLimit = 32

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - keys: The permitted keys.
    ///   - example: A valid body, for the hint.
    /// - Throws: ``RequestError`` for a body that is no JSON object, or that has another key or a key twice.
    init(_ bytes: [UInt8], keys: [String], example: String) throws(RequestError) {
        guard !bytes.isEmpty else { throw .malformedBody("The body is empty.", example) }
        do throws(JSONError) {
            object = try Self.value(of: bytes)
        } catch {
            throw .malformedBody("The body is not JSON (line \(error.line)): \(error.message)", example)
        }
        self.example = example
        guard let members = object.members else {
            throw .malformedBody("The body is not a JSON object, but \(object.kind).", example)
        }
        if let unknown = members.first(where: { member in !keys.contains(where: member.isNamed) }) {
            throw .malformedBody("The body has the unknown key \"\(unknown.name.shortened)\".", example)
        }
    }

    /// Parses a body that is any JSON value.
    package static func value(of bytes: [UInt8]) throws(JSONError) -> JSONValue {
        try JSONReader.read(bytes, size: Gate.bodyLimit, depth: depthLimit)
    }

    /// The value of a key; `nil` if the object does not have it.
    subscript(key: String) -> JSONValue? { object[key] }

    /// Creates the error for a body whose values cannot be used.
    func error(_ message: String) -> RequestError {
        .malformedBody(message, example)
    }
}

extension RequestError {
    fileprivate static func malformedBody(_ message: String, _ example: String) -> Self {
        Self(status: 400, code: "malformedBody", message: message, hint: "Send an object like \(example).")
    }
}
