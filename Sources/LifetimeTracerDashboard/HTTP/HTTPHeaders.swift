/// A list of header fields; names are compared without regard to ASCII case.
public struct HTTPHeaders: Sendable, ExpressibleByArrayLiteral {
    /// One header field.
    public struct Field: Sendable, Equatable {
        /// The name, in its original spelling.
        public var name: String
        /// The value, without surrounding white space.
        public var value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in order.
    public private(set) var fields: [Field]

    /// Creates headers from fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Creates headers from fields.
    public init(arrayLiteral elements: Field...) {
        fields = elements
    }

    /// Whether the fields of ``SecurityHeaders`` have been added.
    var haveSecurityFields = false

    /// The value of the first field with this name.
    public subscript(name: String) -> String? {
        fields.first { Self.sameName($0.name, name) }?.value
    }

    /// Returns the values of all fields with this name, in order.
    public func values(_ name: String) -> [String] {
        fields.lazy.filter { Self.sameName($0.name, name) }.map(\.value)
    }

    /// Returns the number of fields with this name.
    func count(_ name: String) -> Int {
        fields.count { Self.sameName($0.name, name) }
    }

    /// Appends a field.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    private static func sameName(_ left: String, _ right: String) -> Bool {
        // Most names differ in length, and equal ones are mostly spelled alike.
        guard left.utf8.count == right.utf8.count else { return false }
        return left == right || zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
