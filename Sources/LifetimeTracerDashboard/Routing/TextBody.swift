#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        func malformed(_ message: String) -> RequestError {
            RequestError(
                status: 400, code: "malformedBody", message: message, hint: "Send an object like \(example).")
        }
        guard !bytes.isEmpty else { throw malformed("The body is empty.") }
        let object: [String: Value]
        do {
            object = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
        } catch {
            throw malformed("The body is not a JSON object.")
        }
        if let unknown = object.keys.filter({ !keys.contains($0) }).min() {
            throw malformed("The body has the unknown key \"\(unknown.shortened)\".")
        }
        var texts: [String: String] = [:]
        for key in keys {
            guard case .text(let text)? = object[key] else {
                throw malformed(
                    object[key] == nil ? "The body has no \"\(key)\"." : "The value of \"\(key)\" is not a string.")
            }
            texts[key] = text
        }
        // The decoder keeps only one value of a repeated key. Each key and its text have four quotation marks, so a
        // repeated key means more of them.
        guard Self.quotationMarks(in: bytes) == 4 * keys.count else {
            throw malformed("The body has a key more than once.")
        }
        self.texts = texts
    }

    /// Counts the quotation marks that begin or end a string, in bytes that are valid JSON.
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
