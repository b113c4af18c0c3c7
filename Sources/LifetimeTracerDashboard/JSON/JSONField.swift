import TracerBase

/// A field of a JSON object: the key, the schema of the value, and a closure that returns the value.
package struct JSONField<Object>: Sendable {
    /// The key with its schema.
    let property: JSONSchema.Property
    /// Writes the field of an object.
    let write: @Sendable (Object, inout JSONWriter) -> Void

    @inline(__always)
    private init(_ property: JSONSchema.Property, write: @escaping @Sendable (Object, inout JSONWriter) -> Void) {
        self.property = property
        self.write = write
    }

    /// Creates a field that every object has.
    ///
    /// Inlined, so that the closure that writes the field contains the closure that returns the value. That saves a
    /// fifth of the time.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - schema: A stricter schema than that of the value's type, if all values fit it. A schema for values of
    ///     another type is a programming error, and traps in a debug build when the field is first used.
    ///   - value: Returns the value.
    @inline(__always)
    package init<Value: JSONDescribed>(
        _ key: String, as schema: JSONSchema = Value.schema, _ value: @escaping @Sendable (Object) -> Value
    ) {
        // An assertion, because a wrong description is no reason to end a program. Tests in a debug build create all
        // fields.
        assert(schema.narrows(Value.schema), "the values of the field \(key) do not match its schema")
        let start = JSONWriter.start(ofField: key)
        self.init(JSONSchema.Property(key, schema)) { object, writer in
            writer.startField(start)
            value(object).write(to: &writer)
        }
    }

    /// Creates a field that is left out of objects for which `value` returns `nil`.
    @inline(__always)
    package init<Value: JSONDescribed>(sometimes key: String, _ value: @escaping @Sendable (Object) -> Value?) {
        let start = JSONWriter.start(ofField: key)
        self.init(JSONSchema.Property(key, Value.schema, isRequired: false)) { object, writer in
            guard let value = value(object) else { return }
            writer.startField(start)
            value.write(to: &writer)
        }
    }

    /// Returns the same field for an object that contains this field's object.
    fileprivate func lifted<Outer>(_ part: @escaping @Sendable (Outer) -> Object) -> JSONField<Outer> {
        JSONField<Outer>(property) { [write] in write(part($0), &$1) }
    }

    /// Returns a list of fields, in the order in which they are written.
    package static func list(@JSONFieldBuilder<Object> _ fields: () -> [Self]) -> [Self] {
        fields()
    }

    /// Returns all fields of a part of the object.
    package static func all<Part: JSONObject>(of part: @escaping @Sendable (Object) -> Part) -> [Self] {
        Part.fields.map { $0.lifted(part) }
    }
}

/// Concatenates fields and lists of fields.
@resultBuilder package enum JSONFieldBuilder<Object> {
    package static func buildExpression(_ field: JSONField<Object>) -> [JSONField<Object>] { [field] }
    package static func buildExpression(_ fields: [JSONField<Object>]) -> [JSONField<Object>] { fields }
    package static func buildBlock(_ fields: [JSONField<Object>]...) -> [JSONField<Object>] { fields.flatMap(\.self) }
}
