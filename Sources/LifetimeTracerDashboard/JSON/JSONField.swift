/// A field of a JSON object: its key, the schema of its value, and where the value comes from.
struct JSONField<Object>: Sendable {
    /// What the field looks like.
    let property: JSONSchema.Property
    /// Writes the field of an object.
    let write: @Sendable (Object, inout JSONWriter) -> Void

    @inline(__always)
    private init(_ property: JSONSchema.Property, write: @escaping @Sendable (Object, inout JSONWriter) -> Void) {
        self.property = property
        self.write = write
    }

    /// A field that every object has.
    ///
    /// Inlined, so that the closure that writes the field contains the one that gets the value: that takes a fifth less time.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - schema: A schema that all these values fit, where it says more than that of their type. One for values of another
    ///     type is a mistake, and traps in a debug build, when the field is first used.
    ///   - value: The value.
    @inline(__always)
    init<Value: JSONDescribed>(
        _ key: String, as schema: JSONSchema = Value.schema, _ value: @escaping @Sendable (Object) -> Value
    ) {
        // No precondition: a mistake in a description is no reason to end a program. Tests of a debug build make all fields.
        assert(schema.narrows(Value.schema), "the field \(key) has values of another type than its schema")
        let start = JSONWriter.start(ofField: key)
        self.init(JSONSchema.Property(key, schema)) { object, writer in
            writer.startField(start)
            value(object).write(to: &writer)
        }
    }

    /// A field that some objects lack: those for which `value` is `nil`.
    @inline(__always)
    init<Value: JSONDescribed>(sometimes key: String, _ value: @escaping @Sendable (Object) -> Value?) {
        let start = JSONWriter.start(ofField: key)
        self.init(JSONSchema.Property(key, Value.schema, isRequired: false)) { object, writer in
            guard let value = value(object) else { return }
            writer.startField(start)
            value.write(to: &writer)
        }
    }

    /// The same field, of an object that contains the other one's.
    fileprivate func lifted<Outer>(_ part: @escaping @Sendable (Outer) -> Object) -> JSONField<Outer> {
        JSONField<Outer>(property) { [write] in write(part($0), &$1) }
    }

    /// A list of fields, in the order in which they are written.
    static func list(@JSONFieldBuilder<Object> _ fields: () -> [Self]) -> [Self] {
        fields()
    }

    /// All fields of a part of the object.
    static func all<Part: JSONObject>(of part: @escaping @Sendable (Object) -> Part) -> [Self] {
        Part.fields.map { $0.lifted(part) }
    }
}

/// Puts fields, and lists of fields, one behind the other.
@resultBuilder enum JSONFieldBuilder<Object> {
    static func buildExpression(_ field: JSONField<Object>) -> [JSONField<Object>] { [field] }
    static func buildExpression(_ fields: [JSONField<Object>]) -> [JSONField<Object>] { fields }
    static func buildBlock(_ fields: [JSONField<Object>]...) -> [JSONField<Object>] { fields.flatMap(\.self) }
}
