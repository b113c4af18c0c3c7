/// The schema of what a stream of events holds.
enum EventSchemas {
    /// Each event of the stream, as an object with its fields; `data` is JSON.
    ///
    /// OpenAPI 3.1 has no words for a stream of values; this is how OpenAPI 3.2 describes server-sent events.
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
