import LifetimeTracer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a request that names several instances: `{"ids":[17,18]}` and nothing else.
struct InstanceListBody: Sendable {
    /// The schema of the body.
    static let schema = JSONSchema.object([
        JSONSchema.Property("ids", .array(of: InstanceID.schema, count: 1...RetainSearches.jobLimit))
    ]).named("InstanceIDs")

    /// The ids without duplicates, in the order of their first occurrence.
    let ids: [InstanceID]

    /// Parses a body.
    ///
    /// - Throws: ``RequestError`` for a body of any other form.
    init(_ bytes: [UInt8], limit: Int) throws(RequestError) {
        guard !bytes.isEmpty else { throw .malformedList("The body is empty.") }
        let object: [String: Value]
        do {
            object = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
        } catch {
            throw .malformedList("The body is not a JSON object.")
        }
        if let unknown = object.keys.filter({ $0 != "ids" }).min() {
            throw .malformedList("The body has the unknown key \"\(unknown.shortened)\".")
        }
        guard case .ids(let numbers)? = object["ids"] else {
            throw .malformedList(
                object.isEmpty ? "The body has no \"ids\"." : "The value of \"ids\" is not a list of ids.")
        }
        guard (1...limit).contains(numbers.count) else {
            throw .malformedList("The list has \(numbers.count) ids; 1 to \(limit) are allowed.")
        }
        // The decoder keeps only one value of a repeated key. The key is the only string in the body, so a second key
        // means more than two quotation marks.
        guard bytes.count(where: { $0 == UInt8(ascii: "\"") }) == 2 else {
            throw .malformedList("The body has the key \"ids\" more than once.")
        }
        if let id = numbers.first(where: { !InstanceLookup.ids.contains($0) }) {
            throw .malformedList("\(id) is not a valid instance id.")
        }
        var seen: Set<UInt64> = []
        ids = numbers.filter { seen.insert($0).inserted }.map(InstanceID.init)
    }

    private enum Value: Decodable {
        case ids([UInt64])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode([UInt64].self)).map(Self.ids) ?? .other
        }
    }
}

extension RequestError {
    fileprivate static func malformedList(_ message: String) -> Self {
        Self(status: 400, code: "malformedBody", message: message, hint: #"Send an object like {"ids":[17,18]}."#)
    }
}
