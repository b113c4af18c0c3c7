import Foundation
import Testing
import TracerBase

@testable import LifetimeTracerServer

/// The published schema of the file of rules agrees with the reader.
@Suite struct RulesSchemaTests {
    private static let documentation = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation")

    private let schema: JSONSchemaCheck

    init() throws {
        let data = try Data(contentsOf: Self.documentation.appending(path: "rules.schema.json"))
        schema = JSONSchemaCheck(root: try JSONReader.read(Array(data), size: 1 << 20, depth: 20))
    }

    private func names(_ definition: String?) throws -> [String] {
        let object = try definition.map { try #require(schema.definition($0)) } ?? schema.root
        #expect(object["additionalProperties"]?.content == .boolean(false), "\(definition ?? "the file")")
        return try #require(object["properties"]?.members).map(\.name).sorted()
    }

    @Test func theNamesAreThoseOfTheReader() throws {
        #expect(try names(nil) == Rules.Names.file.sorted())
        #expect(try names("typeRule") == Rules.Names.type.sorted())
        #expect(try names("group") == Rules.Names.group.sorted())
        #expect(try names("knownLeak") == ["expires", "fingerprint", "pattern", "reason"])
    }

    private static func value(_ json: String) throws -> JSONValue {
        try JSONReader.read(Array(json.utf8), size: 1 << 20, depth: 20)
    }

    /// A schema cannot state that patterns and names are listed once, and does not open files.
    @Test(arguments: RulesReadingTests.refused) func theSchemaRefusesWhatTheReaderRefuses(
        json: String, message: String
    ) throws {
        guard let value = try? Self.value(json),
            !["a second time", "given twice", "cannot be opened"].contains(where: message.contains)
        else { return }
        #expect(schema.objection(to: value) != nil, "\(json)")
    }

    /// The blocks of JSON in the guide.
    private static func examples() throws -> [String] {
        let text = try String(contentsOf: documentation.appending(path: "Rules.md"), encoding: .utf8)
        return text.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func theExamplesOfTheGuideAreValid() throws {
        let examples = try Self.examples()
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(schema.objection(to: try Self.value(example)) == nil, "\(example)")
            #expect(throws: Never.self) { try Rules(json: example) }
        }
        let all = examples.joined()
        for name in Rules.Names.type + Rules.Names.group { #expect(all.contains("\"\(name)\""), "\(name) is shown") }
    }
}

/// A check of values against the parts of JSON Schema that the schema of rules uses.
struct JSONSchemaCheck {
    let root: JSONValue

    func definition(_ name: String) -> JSONValue? { root["$defs"]?[name] }

    /// Returns why a value does not match; `nil` if it does.
    func objection(to value: JSONValue) -> String? { objection(to: value, root) }

    private static let keywords: Set = [
        "$schema", "$defs", "title", "description", "$ref", "type", "const", "pattern", "minLength", "minimum",
        "maximum", "minItems", "maxItems", "items", "properties", "required", "additionalProperties", "maxProperties",
        "anyOf", "oneOf", "if", "then",
    ]

    private func objection(to value: JSONValue, _ schema: JSONValue) -> String? {
        if let unknown = schema.members?.first(where: { !Self.keywords.contains($0.name) }) {
            return "unknown keyword \(unknown.name)"
        }
        if let reference = schema["$ref"]?.text {
            guard let target = definition(reference.replacing("#/$defs/", with: "")) else { return "no \(reference)" }
            if let objection = objection(to: value, target) { return objection }
        }
        if let type = schema["type"]?.text, !isOf(type, value) { return "not of type \(type)" }
        if let constant = schema["const"], constant.content != value.content { return "not the constant" }
        return objectionToText(value, schema) ?? objectionToNumber(value, schema) ?? objectionToList(value, schema)
            ?? objectionToMembers(value, schema) ?? objectionToChoice(value, schema)
    }

    private func objectionToText(_ value: JSONValue, _ schema: JSONValue) -> String? {
        guard let text = value.text else { return nil }
        if let least: Int = schema["minLength"]?.integer(), text.count < least { return "too short" }
        guard let pattern = schema["pattern"]?.text else { return nil }
        return text.range(of: pattern, options: .regularExpression) == nil ? "does not match \(pattern)" : nil
    }

    private func objectionToNumber(_ value: JSONValue, _ schema: JSONValue) -> String? {
        guard case .number(let number) = value.content else { return nil }
        // A number beyond the largest finite one.
        let double = number.double ?? .infinity
        if case .number(let minimum)? = schema["minimum"]?.content, double < minimum.double ?? 0 { return "too low" }
        if case .number(let maximum)? = schema["maximum"]?.content, double > maximum.double ?? 0 { return "too high" }
        return nil
    }

    private func objectionToList(_ value: JSONValue, _ schema: JSONValue) -> String? {
        guard let elements = value.elements else { return nil }
        if let least: Int = schema["minItems"]?.integer(), elements.count < least { return "too few items" }
        if let most: Int = schema["maxItems"]?.integer(), elements.count > most { return "too many items" }
        guard let items = schema["items"] else { return nil }
        return elements.lazy.compactMap { objection(to: $0, items) }.first
    }

    private func objectionToMembers(_ value: JSONValue, _ schema: JSONValue) -> String? {
        guard let members = value.members else { return nil }
        for name in schema["required"]?.elements ?? [] where value[name.text ?? ""] == nil {
            return "no \(name.text ?? "")"
        }
        if let most: Int = schema["maxProperties"]?.integer(), members.count > most { return "too many properties" }
        for member in members {
            if let property = schema["properties"]?[member.name] {
                if let objection = objection(to: member.value, property) { return "\(member.name): \(objection)" }
            } else if schema["additionalProperties"]?.content == .boolean(false) {
                return "unknown name \(member.name)"
            }
        }
        return nil
    }

    private func objectionToChoice(_ value: JSONValue, _ schema: JSONValue) -> String? {
        func matches(_ keyword: String) -> Int? {
            schema[keyword]?.elements?.count { objection(to: value, $0) == nil }
        }
        if matches("anyOf") == 0 { return "none of the choices" }
        if let count = matches("oneOf"), count != 1 { return "\(count) of the choices" }
        guard let condition = schema["if"], let then = schema["then"] else { return nil }
        return objection(to: value, condition) == nil ? objection(to: value, then) : nil
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value.content) {
        case ("object", .object), ("array", .array), ("string", .string), ("null", .null), ("boolean", .boolean): true
        case ("number", .number): true
        case ("integer", .number(let number)): number.double.map { $0 == $0.rounded() } ?? false
        default: false
        }
    }
}
