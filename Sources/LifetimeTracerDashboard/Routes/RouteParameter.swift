extension Route {
    /// What one `{name}` of the path or one name in the query can hold.
    public struct Parameter: Sendable {
        /// The values that are taken.
        public enum Value: Sendable {
            /// Any text.
            case text
            /// A whole number in decimal digits.
            case integer(ClosedRange<Int>)
            /// A number as in JSON.
            case number(ClosedRange<Double>)
            /// One of these.
            case choice([String])
        }

        /// The name.
        public let name: String
        /// The values that are taken.
        public let value: Value
        /// What it is for.
        public let description: String
        /// Whether a request without it is refused; what stands in the path is always there.
        public let isRequired: Bool
        /// The values that a text can have at the moment, in words.
        var known: @Sendable () -> String = { "any text" }

        private let textSchema: JSONSchema?

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The values that are taken; a request with another one is refused with status 400.
        ///   - description: What it is for.
        ///   - isRequired: Whether a request without it is refused.
        ///   - schema: For a text, the schema of those that the handler accepts, for the description of the API.
        public init(
            _ name: String, _ value: Value, _ description: String, isRequired: Bool = false, schema: JSONSchema? = nil
        ) {
            self.name = name
            self.value = value
            self.description = description
            self.isRequired = isRequired
            textSchema = schema
        }

        /// The schema of the values that are accepted.
        var schema: JSONSchema {
            switch value {
            // A target with a zero byte is refused before any route sees it.
            case .text: textSchema ?? .string(pattern: #"^[^\u0000]*$"#)
            case .integer(let range): .integer(range)
            case .number(let range): .number(range)
            case .choice(let choices): .choice(choices)
            }
        }
    }

    /// A header field that a route reads, or that an answer carries, for the description of the API.
    public struct Header: Sendable {
        /// The name.
        public let name: String
        /// What it says.
        public let description: String
        /// The schema of its value.
        public let schema: JSONSchema
        /// Whether it is always there.
        public let isRequired: Bool

        /// Creates the description of a header field.
        public init(_ name: String, _ description: String, _ schema: JSONSchema = .string(), isRequired: Bool = true) {
            self.name = name
            self.description = description
            self.schema = schema
            self.isRequired = isRequired
        }
    }
}
