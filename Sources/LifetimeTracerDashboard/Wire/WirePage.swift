extension JSONField {
    /// Returns the fields of every list: the number of entries in the whole list, and the cursor of the next page.
    package static func page<Entry>(_ page: @escaping @Sendable (Object) -> Page<Entry>) -> [Self] {
        [
            Self("total", as: .integer(0...)) { page($0).total },
            Self("next", as: PageCursor.schema.orNull) { page($0).next },
        ]
    }
}

extension PageCursor {
    /// The schema of a cursor's text; see ``init(_:)``.
    static let schema = JSONSchema.string(
        pattern: "^p(0|[1-9][0-9]{0,17})-(0|[1-9a-f][0-9a-f]{0,15})$"
    ).named("PageCursor")
}

extension Page {
    /// Returns the same page with transformed entries.
    package func map<Other>(_ transform: (Entry) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(total: total, next: next, entries: try entries.map(transform))
    }
}
