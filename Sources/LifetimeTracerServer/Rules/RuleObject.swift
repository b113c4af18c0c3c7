import TracerBase

/// An object of a file of rules, all of whose names are known.
struct RuleObject {
    private let value: JSONValue

    /// - Parameters:
    ///   - kind: The object in words, for error messages.
    ///   - names: The names that the object may have.
    init(_ value: JSONValue, _ kind: String, named names: [String], example: String) throws(RulesError) {
        guard let members = value.members else {
            throw RulesError(
                "An object is expected for \(kind), but the file contains \(value.kind).", hint: "Write \(example).",
                line: value.line)
        }
        for member in members where !names.contains(where: member.isNamed) {
            throw RulesError(
                "The unknown name \"\(member.name.withEscapes())\" stands in \(kind).",
                hint: "Use \(names.joined(separator: ", ")).", line: member.line)
        }
        self.value = value
    }

    subscript(name: String) -> JSONValue? { value[name] }

    /// Returns a text; `nil` if the object does not have it.
    func text(_ name: String) throws(RulesError) -> String? {
        guard let value = value[name] else { return nil }
        guard let text = value.text else {
            throw RulesError("The value of \"\(name)\" is \(value.kind).", hint: "Write a string.", line: value.line)
        }
        return text
    }

    /// Returns the elements of a list; none if the object does not have the list.
    func list(_ name: String) throws(RulesError) -> [JSONValue] {
        guard let value = value[name] else { return [] }
        guard let elements = value.elements else {
            throw RulesError("The value of \"\(name)\" is \(value.kind).", hint: "Write a list.", line: value.line)
        }
        return elements
    }
}
