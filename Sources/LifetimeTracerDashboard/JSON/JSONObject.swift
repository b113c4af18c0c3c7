import TracerBase

/// A type whose values are written as JSON objects, declared by a list of fields.
///
/// Both the JSON and its schema are made from this list, so they cannot differ.
///
/// ```swift
/// struct WireSite: JSONObject {
///     let site: SourceSite
///
///     static let fields = Field.list {
///         Field("file") { $0.site.file.description }
///         Field("line") { $0.site.line }
///     }
/// }
/// ```
package protocol JSONObject: JSONDescribed {
    typealias Field = JSONField<Self>

    /// The fields, in the order in which they are written. No two have the same key.
    static var fields: [JSONField<Self>] { get }
}

extension JSONObject {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            // Iterates over the buffer, which avoids copying each field and retaining its closure and key for each
            // value.
            Self.fields.withUnsafeBufferPointer { fields in
                for position in fields.indices { fields[position].write(self, &writer) }
            }
        }
    }

    /// The schema, named after the type, without `Wire`.
    package static var schema: JSONSchema {
        let name = typeName
        return JSONSchema.object(fields.map(\.property)).named(
            name.hasPrefix("Wire") ? String(name.dropFirst("Wire".count)) : name)
    }

    /// The name of the type.
    ///
    /// In optimised code, the description of a private type is `(Name in _1F2E…)` in some places.
    private static var typeName: String {
        let description = "\(Self.self)"
        guard description.hasPrefix("("), let end = description.firstIndex(of: " ") else { return description }
        return String(description[..<end].dropFirst())
    }
}
