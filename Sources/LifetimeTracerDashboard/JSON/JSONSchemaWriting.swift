import TracerBase

extension JSONSchema: JSONWritable {
    /// Writes the schema; a named schema inside it becomes a reference to its component.
    @usableFromInline
    package func write(to writer: inout JSONWriter) {
        writer.object { writeKeywords(to: &$0, orNull: false) }
    }

    private func writeKeywords(to writer: inout JSONWriter, orNull: Bool) {
        switch kind {
        case .anything: break
        case .string(let rules):
            writer.type("string", orNull: orNull)
            rules.write(to: &writer)
        case .json(let value):
            writer.type("string", orNull: orNull)
            writer.field("contentMediaType", "application/json")
            writer.field("contentSchema", value)
        case .boolean: writer.type("boolean", orNull: orNull)
        case .null: writer.type("null", orNull: false)
        case .integer(let minimum, let maximum):
            writer.type("integer", orNull: orNull)
            if let minimum { writer.field("minimum", minimum) }
            if let maximum { writer.field("maximum", maximum) }
        case .number(let minimum, let maximum):
            writer.type("number", orNull: orNull)
            if let minimum { writer.field("minimum", DecimalNumber.seconds(.seconds(minimum))) }
            if let maximum { writer.field("maximum", DecimalNumber.seconds(.seconds(maximum))) }
        case .choice(let values):
            writer.type("string", orNull: orNull)
            writer.field("enum", values.map(Optional.some) + (orNull ? [nil] : []))
        case .array(let element, let count):
            writer.type("array", orNull: orNull)
            writer.field("items", element)
            if let count {
                if count.lowerBound > 0 { writer.field("minItems", count.lowerBound) }
                if count.upperBound < .max { writer.field("maxItems", count.upperBound) }
            }
        case .object(let properties, let isClosed):
            writer.type("object", orNull: orNull)
            Self.write(properties, isClosed: isClosed, to: &writer)
        case .orNull(let schema): schema.writeKeywords(to: &writer, orNull: true)
        case .oneOf(let schemas): writer.field("oneOf", orNull ? schemas + [.null] : schemas)
        case .named(let name, _):
            if orNull {
                writer.field("oneOf", [self, .null])
            } else {
                writer.field(JSONReference.key, "#/components/schemas/\(name)")
            }
        }
    }

    private static func write(_ properties: [Property], isClosed: Bool, to writer: inout JSONWriter) {
        if !properties.isEmpty {
            writer.key("properties")
            writer.object { writer in
                for property in properties { writer.field(property.name, property.schema) }
            }
        }
        let required = properties.filter(\.isRequired).map(\.name)
        if !required.isEmpty { writer.field("required", required) }
        if isClosed { writer.field("additionalProperties", false) }
    }
}

extension JSONSchema.StringRules {
    fileprivate func write(to writer: inout JSONWriter) {
        if let length {
            if length.lowerBound > 0 { writer.field("minLength", length.lowerBound) }
            if length.upperBound < .max { writer.field("maxLength", length.upperBound) }
        }
        if let pattern { writer.field("pattern", pattern) }
        if let format { writer.field("format", format) }
        if !excluded.isEmpty { writer.field("not", JSONSchema.choice(excluded)) }
    }
}

extension JSONSchema {
    /// All named schemas within this one, including itself, once for each occurrence.
    var components: [(name: String, schema: JSONSchema)] {
        switch kind {
        case .anything, .null, .string, .boolean, .integer, .number, .choice: []
        case .json(let value): value.components
        case .array(let element, _): element.components
        case .object(let properties, _): properties.flatMap(\.schema.components)
        case .orNull(let schema): schema.components
        case .oneOf(let schemas): schemas.flatMap(\.components)
        case .named(let name, let schema): [(name, schema)] + schema.components
        }
    }
}

/// A reference to another part of the document: `{"$ref":"#/components/schemas/Error"}`.
struct JSONReference: JSONWritable {
    static let key = "$ref"

    let target: String

    init(_ target: String) {
        self.target = target
    }

    func write(to writer: inout JSONWriter) {
        writer.object { $0.field(Self.key, target) }
    }
}

extension JSONWriter {
    fileprivate mutating func type(_ name: String, orNull: Bool) {
        if orNull { field("type", [name, "null"]) } else { field("type", name) }
    }
}
