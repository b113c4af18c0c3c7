/// The members of an object, for `Decodable` types.
struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey]
    private let values: [String: JSONValue]

    init(_ members: [JSONValue.Member], codingPath: [any CodingKey]) {
        self.codingPath = codingPath
        // Names that differ only in their normalization count as one here; the names of a type's properties are ASCII.
        values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    var allKeys: [Key] { values.keys.compactMap(Key.init) }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(forKey: key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(forKey: key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(forKey: key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(forKey: key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(forKey: key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(forKey: key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(forKey: key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(forKey: key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(forKey: key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(forKey: key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(forKey: key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(forKey: key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(forKey: key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(forKey: key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(forKey: key).decode(type) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(forKey: key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw noSuperclass(codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(forKey: key) }

    private func decoder(forKey key: Key) throws -> JSONDecoding {
        guard let value = values[key.stringValue] else {
            let context = DecodingError.Context(
                codingPath: codingPath, debugDescription: "The object has no \"\(key.stringValue)\".")
            throw DecodingError.keyNotFound(key, context)
        }
        return JSONDecoding(value: value, codingPath: codingPath + [key])
    }
    private func noSuperclass(_ path: [any CodingKey]) -> DecodingError {
        let context = DecodingError.Context(codingPath: path, debugDescription: "Subclasses cannot be decoded.")
        return .dataCorrupted(context)
    }
}
