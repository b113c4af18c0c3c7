extension JSONField {
    /// The fields of every list: how many entries the whole of it has, and where its next page begins.
    static func page<Entry>(_ page: @escaping @Sendable (Object) -> Page<Entry>) -> [Self] {
        [
            Self("total", as: .integer(0...)) { page($0).total },
            Self("next", as: PageCursor.schema.orNull) { page($0).next },
        ]
    }
}

extension PageCursor {
    /// The texts of cursors; see ``init(_:)``.
    static let schema = JSONSchema.string(
        pattern: "^p(0|[1-9][0-9]{0,17})-(0|[1-9a-f][0-9a-f]{0,15})$"
    ).named("PageCursor")
}

extension Page {
    /// The same part of the list, with other entries.
    func map<Other>(_ transform: (Entry) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(total: total, next: next, entries: try entries.map(transform))
    }
}
