#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a request for a mark: `{"name":"before"}` and nothing else.
struct MarkBody: Sendable {
    /// The name of the mark.
    let name: String

    /// Reads a body.
    ///
    /// - Throws: ``RequestError`` for one that is not exactly of that form.
    init(_ bytes: [UInt8]) throws(RequestError) {
        guard !bytes.isEmpty else { throw .malformedBody("The body is empty.") }
        let object: [String: Value]
        do {
            object = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
        } catch {
            throw .malformedBody("The body is not a JSON object.")
        }
        if let unknown = object.keys.filter({ $0 != "name" }).min() {
            throw .malformedBody("The body has a key \"\(unknown.shortened)\", which is not known.")
        }
        guard case .text(let name)? = object["name"] else {
            throw .malformedBody(object.isEmpty ? "The body has no \"name\"." : "The \"name\" is not a text.")
        }
        // Decoding keeps one of several values of a key. One key and one text have four quotation marks.
        guard Self.quotationMarks(in: bytes) == 4 else {
            throw .malformedBody("The body has a \"name\" more than once.")
        }
        self.name = name
    }

    /// How many quotation marks begin or end a text, in bytes that are JSON.
    private static func quotationMarks(in bytes: [UInt8]) -> Int {
        var count = 0
        var isEscaped = false
        for byte in bytes {
            if byte == UInt8(ascii: "\""), !isEscaped { count += 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return count
    }

    private enum Value: Decodable {
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode(String.self)).map(Self.text) ?? .other
        }
    }
}

extension RequestError {
    fileprivate static func malformedBody(_ message: String) -> Self {
        Self(status: 400, code: "malformedBody", message: message, hint: #"Send an object like {"name":"before"}."#)
    }
}
