extension Route {
    /// A parameter: one `{name}` in the path or one name in the query.
    package struct Parameter: Sendable {
        /// The values that a parameter accepts.
        package enum Value: Sendable {
            /// Any text.
            case text
            /// A whole number in decimal digits.
            case integer(ClosedRange<Int>)
            /// A number in the syntax of JSON.
            case number(ClosedRange<Double>)
            /// One of these texts.
            case choice([String])
        }

        /// The name.
        package let name: String
        /// The accepted values.
        package let value: Value
        /// The purpose of the parameter.
        package let description: String
        /// Whether a request without the parameter is refused; a path parameter is always present.
        package let isRequired: Bool
        /// Returns the texts that the parameter accepts at the moment, in words.
        var known: @Sendable () -> String = { "any text" }

        private let textSchema: JSONSchema?

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The accepted values; a request with any other value is refused with status 400.
        ///   - description: The purpose of the parameter.
        ///   - isRequired: Whether a request without the parameter is refused.
        ///   - schema: For a text, the schema of the texts that the handler accepts, for the description of the API.
        package init(
            _ name: String, _ value: Value, _ description: String, isRequired: Bool = false, schema: JSONSchema? = nil
        ) {
            self.name = name
            self.value = value
            self.description = description
            self.isRequired = isRequired
            textSchema = schema
        }

        /// The schema of the accepted values.
        var schema: JSONSchema {
            switch value {
            // A target with a zero byte is refused before it reaches a route.
            case .text: textSchema ?? .string(pattern: #"^[^\u0000]*$"#)
            case .integer(let range): .integer(range)
            case .number(let range): .number(range)
            case .choice(let choices): .choice(choices)
            }
        }
    }

    /// The description of a header field that a route reads or that a response carries.
    package struct Header: Sendable {
        /// The name.
        package let name: String
        /// The meaning of the field.
        package let description: String
        /// The schema of the field's value.
        package let schema: JSONSchema
        /// Whether the field is always present.
        package let isRequired: Bool

        /// Creates the description of a header field.
        package init(_ name: String, _ description: String, _ schema: JSONSchema = .string(), isRequired: Bool = true) {
            self.name = name
            self.description = description
            self.schema = schema
            self.isRequired = isRequired
        }
    }
}
