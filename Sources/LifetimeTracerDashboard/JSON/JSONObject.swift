/// A value that is sent as a JSON object, declared by its fields.
///
/// The list is the only place where the object's shape is told: the JSON and its schema are both made from it, so that they
/// cannot differ.
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
protocol JSONObject: JSONDescribed {
    typealias Field = JSONField<Self>

    /// The fields, in the order in which they are written. No two have the same key.
    static var fields: [JSONField<Self>] { get }
}

extension JSONObject {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            // Through the buffer, so that no field is copied, and its closure and key retained, for each value.
            Self.fields.withUnsafeBufferPointer { fields in
                for position in fields.indices { fields[position].write(self, &writer) }
            }
        }
    }

    /// The schema, named like the type, without `Wire`.
    static var schema: JSONSchema {
        let name = typeName
        return JSONSchema.object(fields.map(\.property)).named(
            name.hasPrefix("Wire") ? String(name.dropFirst("Wire".count)) : name)
    }

    /// The type's name alone.
    ///
    /// In optimised code a private type describes itself as `(Name in _1F2E…)` at some places.
    private static var typeName: String {
        let description = "\(Self.self)"
        guard description.hasPrefix("("), let end = description.firstIndex(of: " ") else { return description }
        return String(description[..<end].dropFirst())
    }
}
