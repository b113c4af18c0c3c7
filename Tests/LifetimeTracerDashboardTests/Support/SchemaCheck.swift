import Foundation

@testable import LifetimeTracerDashboard

/// Checks values against the schemas of an OpenAPI document.
///
/// Supports the keywords that the document uses, and reports any other keyword.
struct SchemaCheck {
    let document: JSONValue

    /// The violations of a value, each with its place; empty if the value conforms.
    func findings(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        schema.keys.flatMap { keyword in
            check(value, keyword, schema[keyword] ?? .null, schema, place)
        }
    }

    /// A schema or response, or the target of a reference to one.
    func resolved(_ part: JSONValue) -> JSONValue {
        guard let reference = part["$ref"]?.string else { return part }
        return document.at(reference.dropFirst()) ?? .string("there is no \(reference)")
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: JSONValue, _ place: String
    ) -> [String] {
        func unless(_ holds: Bool) -> [String] {
            holds ? [] : ["\(place): \(value) does not fit \(keyword) \(argument)"]
        }
        switch keyword {
        case "$ref": return findings(value, resolved(schema), at: place)
        case "type":
            let types = argument.string.map { [$0] } ?? argument.elements.compactMap(\.string)
            return unless(types.contains { Self.isOfType(value, $0) })
        case "enum": return unless(argument.elements.contains(value))
        case "not": return unless(!findings(value, argument).isEmpty)
        case "oneOf": return unless(argument.elements.count { findings(value, $0).isEmpty } == 1)
        case "properties":
            return argument.keys.flatMap { key in
                value[key].map { findings($0, argument[key] ?? .null, at: "\(place).\(key)") } ?? []
            }
        case "required":
            guard case .object = value else { return [] }
            return argument.elements.compactMap(\.string).filter { value[$0] == nil }.map { "\(place) lacks \($0)" }
        case "additionalProperties":
            let known = schema["properties"]?.keys ?? []
            return value.keys.filter { !known.contains($0) }.map { "\(place) has \($0), which is not declared" }
        case "items":
            return value.elements.enumerated().flatMap { findings($1, argument, at: "\(place)[\($0)]") }
        case "minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength":
            return unless(Self.isWithin(value, keyword, argument))
        case "pattern":
            guard let text = value.string, let pattern = argument.string else { return [] }
            return unless(text.range(of: pattern, options: .regularExpression) != nil)
        case "format":
            guard argument == .string("date-time"), let text = value.string else { return unless(value == .null) }
            return unless((try? #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#.wholeMatch(in: text)) != nil)
        default: return ["\(place): the keyword \(keyword) is not known here"]
        }
    }

    private static func isOfType(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.boolean, "boolean"), (.integer, "integer"), (.integer, "number"), (.number, "number"),
            (.string, "string"), (.array, "array"), (.object, "object"):
            true
        default: false
        }
    }

    /// Whether the size of a value, or a number, is within a bound.
    private static func isWithin(_ value: JSONValue, _ keyword: String, _ bound: JSONValue) -> Bool {
        let measured: Double? =
            switch value {
            case .array(let values): keyword.hasSuffix("Items") ? Double(values.count) : nil
            case .string(let text): keyword.hasSuffix("Length") ? Double(text.unicodeScalars.count) : nil
            default: keyword.hasSuffix("mum") ? value.double : nil
            }
        guard let measured, let bound = bound.double else { return true }
        return keyword.hasPrefix("min") ? measured >= bound : measured <= bound
    }
}
