/// A JSON schema (https://json-schema.org/draft/2020-12): the set of valid values of a body, a parameter or a header
/// field.
///
/// ```swift
/// let order = JSONSchema.object([
///     JSONSchema.Property("id", .integer(1...1_000_000)),
///     JSONSchema.Property("state", .choice(["open", "sent"])),
///     JSONSchema.Property("note", .string(length: 0...200).orNull, isRequired: false),
/// ]).named("Order")
/// ```
package struct JSONSchema: Sendable, Equatable {
    /// A key of an object, with the schema of its value.
    package struct Property: Sendable, Equatable {
        /// The key.
        package let name: String
        /// The schema of the value.
        package let schema: JSONSchema
        /// Whether every valid object has the key.
        package let isRequired: Bool

        /// Creates the description of a key.
        package init(_ name: String, _ schema: JSONSchema, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// The kinds of schemas.
    indirect enum Kind: Sendable, Equatable {
        case anything
        case string(StringRules)
        case json(JSONSchema)
        case boolean
        case null
        case integer(minimum: Int?, maximum: Int?)
        case number(minimum: Double?, maximum: Double?)
        case choice([String])
        case array(of: JSONSchema, count: ClosedRange<Int>?)
        case object([Property], isClosed: Bool)
        case orNull(JSONSchema)
        case oneOf([JSONSchema])
        case named(String, JSONSchema)
    }

    /// The constraints on a string.
    struct StringRules: Sendable, Equatable {
        var length: ClosedRange<Int>?
        var pattern: String?
        var format: String?
        /// Strings that meet all other constraints and are still invalid.
        var excluded: [String] = []
    }

    let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// Any value.
    package static let anything = Self(.anything)

    /// `true` or `false`.
    package static let boolean = Self(.boolean)

    /// A string.
    ///
    /// - Parameters:
    ///   - length: The permitted numbers of Unicode code points.
    ///   - pattern: A regular expression (ECMA-262) that matches a part of the string; `^` and `$` match its ends.
    ///   - format: A format that JSON Schema defines, such as `date-time`.
    ///   - excluded: Strings that meet all other constraints and are still invalid.
    package static func string(
        length: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil,
        excluding excluded: [String] = []
    ) -> Self {
        Self(.string(StringRules(length: length, pattern: pattern, format: format, excluded: excluded)))
    }

    /// A string that contains a value of another schema, as JSON.
    package static func json(_ value: JSONSchema) -> Self {
        Self(.json(value))
    }

    /// An integer of any size.
    package static let integer = Self(.integer(minimum: nil, maximum: nil))

    /// An integer within bounds.
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(.integer(minimum: range.lowerBound, maximum: range.upperBound))
    }

    /// An integer from a lower bound upwards.
    package static func integer(_ range: PartialRangeFrom<Int>) -> Self {
        Self(.integer(minimum: range.lowerBound, maximum: nil))
    }

    /// A number of any size.
    package static let number = Self(.number(minimum: nil, maximum: nil))

    /// A number within bounds.
    package static func number(_ range: ClosedRange<Double>) -> Self {
        Self(.number(minimum: range.lowerBound, maximum: range.upperBound))
    }

    /// One of these strings.
    package static func choice(_ values: [String]) -> Self {
        Self(.choice(values))
    }

    /// The value `null`.
    static let null = Self(.null)

    /// An array.
    ///
    /// - Parameters:
    ///   - element: The schema of the elements.
    ///   - count: The permitted numbers of elements.
    package static func array(of element: JSONSchema, count: ClosedRange<Int>? = nil) -> Self {
        Self(.array(of: element, count: count))
    }

    /// An object with these keys and no others.
    package static func object(_ properties: [Property]) -> Self {
        Self(.object(properties, isClosed: true))
    }

    /// An object with these keys, and possibly others.
    package static func openObject(_ properties: [Property]) -> Self {
        Self(.object(properties, isClosed: false))
    }

    /// A value that fits exactly one of these schemas.
    package static func oneOf(_ schemas: [JSONSchema]) -> Self {
        Self(.oneOf(schemas))
    }

    /// A value of this schema, or `null`.
    package var orNull: Self {
        if case .orNull = kind { self } else { Self(.orNull(self)) }
    }

    /// Returns the same schema under a name.
    ///
    /// The description of the API contains it once, in `components/schemas`.
    ///
    /// - Parameter name: Letters, digits, `.`, `-` and `_`. Two different schemas with the same name are a programming
    ///   error, and trap when a dashboard is created.
    package func named(_ name: String) -> Self {
        Self(.named(name, self))
    }
}
