/// A JSON value that was read, and the line on which it begins.
package struct JSONValue: Sendable, Hashable {
    /// The kinds of values.
    package enum Content: Sendable, Hashable {
        case null
        case boolean(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        /// The members in the order of the text; no two have the same name.
        case object([Member])
    }

    /// A name with its value.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let value: JSONValue
        /// The line on which the name begins.
        package let line: Int

        /// Returns whether the member has a name, compared by its bytes.
        ///
        /// Swift's `==` also accepts canonically equivalent names, which are different names in JSON.
        package func isNamed(_ name: String) -> Bool {
            self.name.utf8.elementsEqual(name.utf8)
        }
    }

    package let content: Content
    /// The line, counted from 1.
    package let line: Int

    /// The kind of the value, for an error message: `a number`.
    package var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The text of a string; `nil` for other values.
    package var text: String? {
        if case .string(let text) = content { text } else { nil }
    }

    /// The elements of a list; `nil` for other values.
    package var elements: [JSONValue]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    /// The members of an object; `nil` for other values.
    package var members: [Member]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// The value of an object's member; `nil` if the value is no object or has no such member.
    package subscript(name: String) -> JSONValue? {
        members?.first { $0.isNamed(name) }?.value
    }

    /// Returns the exact value of a number; `nil` for other values, fractions, and numbers that do not fit.
    package func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        if case .number(let number) = content { number.integer(as: type) } else { nil }
    }
}
