/// A JSON schema (https://json-schema.org/draft/2020-12): which values a body, a parameter or a header field can have.
///
/// ```swift
/// let order = JSONSchema.object([
///     JSONSchema.Property("id", .integer(1...1_000_000)),
///     JSONSchema.Property("state", .choice(["open", "sent"])),
///     JSONSchema.Property("note", .string(length: 0...200).orNull, isRequired: false),
/// ]).named("Order")
/// ```
public struct JSONSchema: Sendable, Equatable {
    /// One key of an object.
    public struct Property: Sendable, Equatable {
        /// The key.
        public let name: String
        /// The values that it can have.
        public let schema: JSONSchema
        /// Whether every such object has the key.
        public let isRequired: Bool

        /// Creates the description of a key.
        public init(_ name: String, _ schema: JSONSchema, isRequired: Bool = true) {
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

    /// What a string must look like.
    struct StringRules: Sendable, Equatable {
        var length: ClosedRange<Int>?
        var pattern: String?
        var format: String?
        /// Strings that fit all else and are not allowed.
        var excluded: [String] = []
    }

    let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// Any value.
    public static let anything = Self(.anything)

    /// `true` or `false`.
    public static let boolean = Self(.boolean)

    /// A string.
    ///
    /// - Parameters:
    ///   - length: How many Unicode code points it has.
    ///   - pattern: A regular expression (ECMA-262) that matches a part of it; `^` and `$` stand for its ends.
    ///   - format: A format that JSON schemas know, such as `date-time`.
    ///   - excluded: Strings that fit all else and are not allowed.
    public static func string(
        length: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil,
        excluding excluded: [String] = []
    ) -> Self {
        Self(.string(StringRules(length: length, pattern: pattern, format: format, excluded: excluded)))
    }

    /// A string that holds a value of another schema, as JSON.
    public static func json(_ value: JSONSchema) -> Self {
        Self(.json(value))
    }

    /// An integer of any size.
    public static let integer = Self(.integer(minimum: nil, maximum: nil))

    /// An integer within bounds.
    public static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(.integer(minimum: range.lowerBound, maximum: range.upperBound))
    }

    /// An integer from a lower bound upwards.
    public static func integer(_ range: PartialRangeFrom<Int>) -> Self {
        Self(.integer(minimum: range.lowerBound, maximum: nil))
    }

    /// A number of any size.
    public static let number = Self(.number(minimum: nil, maximum: nil))

    /// A number within bounds.
    public static func number(_ range: ClosedRange<Double>) -> Self {
        Self(.number(minimum: range.lowerBound, maximum: range.upperBound))
    }

    /// One of these strings.
    public static func choice(_ values: [String]) -> Self {
        Self(.choice(values))
    }

    /// Nothing but `null`.
    static let null = Self(.null)

    /// An array.
    ///
    /// - Parameters:
    ///   - element: Each of its elements.
    ///   - count: How many elements it has.
    public static func array(of element: JSONSchema, count: ClosedRange<Int>? = nil) -> Self {
        Self(.array(of: element, count: count))
    }

    /// An object with these keys and no others.
    public static func object(_ properties: [Property]) -> Self {
        Self(.object(properties, isClosed: true))
    }

    /// An object with these keys and any others.
    public static func openObject(_ properties: [Property]) -> Self {
        Self(.object(properties, isClosed: false))
    }

    /// A value of exactly one of these schemas.
    public static func oneOf(_ schemas: [JSONSchema]) -> Self {
        Self(.oneOf(schemas))
    }

    /// A value of this schema, or `null`.
    public var orNull: Self {
        if case .orNull = kind { self } else { Self(.orNull(self)) }
    }

    /// The same schema under a name: the description of the API has it once, in `components/schemas`.
    ///
    /// - Parameter name: Letters, digits, `.`, `-` and `_`. Two different schemas of one name are a mistake in the program,
    ///   and trap when a dashboard is made.
    public func named(_ name: String) -> Self {
        Self(.named(name, self))
    }
}
