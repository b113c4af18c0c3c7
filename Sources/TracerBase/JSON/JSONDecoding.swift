extension JSONValue {
    /// Creates a value of a `Decodable` type from the JSON value.
    ///
    /// Unknown names of objects are ignored. An integer may have any form, such as `1.0`, if the type represents it
    /// exactly.
    ///
    /// - Throws: `DecodingError` if a name is missing, or if a value has another kind than its type requires.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try Value(from: JSONDecoding(value: self, codingPath: []))
    }
}

/// The decoder of one value.
struct JSONDecoding: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = value.members else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(JSONMembers(members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.elements else { throw mismatch([JSONValue].self) }
        return JSONElements(elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "The value on line \(value.line) is \(value.kind).")
        return .typeMismatch(type, context)
    }

    private func integer<Integer: FixedWidthInteger>() throws -> Integer {
        guard let integer = value.integer(as: Integer.self) else { throw mismatch(Integer.self) }
        return integer
    }

    private func double() throws -> Double {
        guard case .number(let number) = value.content, let double = number.double else { throw mismatch(Double.self) }
        return double
    }
}

extension JSONDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.content == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let boolean) = value.content else { throw mismatch(type) }
        return boolean
    }

    func decode(_ type: String.Type) throws -> String {
        guard let text = value.text else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try double() }
    func decode(_ type: Float.Type) throws -> Float { try Float(double()) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}
