/// The JSON schema of the event stream.
enum EventSchemas {
    /// The schema of an event: an object with the event's fields, where `data` is JSON.
    ///
    /// OpenAPI 3.1 cannot describe a stream of values. This form follows OpenAPI 3.2's description of server-sent
    /// events.
    static let event = JSONSchema.oneOf([
        event("hello", WireHello.schema), event("tick", WireTick.schema),
        event("verdict", WireVerdict.schema, also: [JSONSchema.Property("id", .string(pattern: "^[0-9]+$"))]),
    ])

    private static func event(
        _ name: String, _ data: JSONSchema, also fields: [JSONSchema.Property] = []
    ) -> JSONSchema {
        .object(fields + [JSONSchema.Property("event", .choice([name])), JSONSchema.Property("data", .json(data))])
    }
}
