/// Which part of a list is asked for.
struct PageRequest: Sendable {
    /// The most entries of a page.
    static let longest = 500
    /// The entries of a page where nothing is said.
    static let usual = 100

    /// The parameters that every list has.
    static let parameters = [
        Route.Parameter("limit", .integer(1...longest), "Entries of a page; \(usual) where it is not given."),
        Route.Parameter("after", .text, "The `next` of the page before."),
    ]

    private let limit: Int
    private let cursor: PageCursor?

    /// Reads what a request asks for.
    ///
    /// - Throws: ``RequestError`` for an `after` that did not come from a page.
    init(_ request: RouteRequest) throws(RequestError) {
        limit = request.integer("limit") ?? Self.usual
        guard let text = request.text("after") else {
            cursor = nil
            return
        }
        guard let cursor = PageCursor(text) else {
            throw .invalidParameter("after", text, accepted: "the text of `next` of the page before")
        }
        self.cursor = cursor
    }

    /// Whether the entries stand in the order of their keys, and in which direction.
    enum KeyOrder: Sendable {
        case ascending
        case descending
        /// In some other order.
        case none
    }

    /// Cuts the page out of the whole list.
    ///
    /// The list may have changed since the page before: it goes on behind the entry that was the last one, and where that
    /// has gone, behind its place.
    ///
    /// - Parameters:
    ///   - entries: The whole list, in order.
    ///   - order: Whether that is the order of the keys.
    ///   - key: What tells an entry from all others, whatever else changes.
    func page<Entry>(of entries: [Entry], inKeyOrder order: KeyOrder = .none, key: (Entry) -> UInt64) -> Page<Entry> {
        let start = cursor.map { firstPosition(behind: $0, entries, order, key) } ?? 0
        let end = min(start + limit, entries.count)
        let next = end < entries.count ? PageCursor(position: end - 1, key: key(entries[end - 1])) : nil
        return Page(total: entries.count, next: next?.text, entries: Array(entries[start..<end]))
    }

    private func firstPosition<Entry>(
        behind cursor: PageCursor, _ entries: [Entry], _ order: KeyOrder, _ key: (Entry) -> UInt64
    ) -> Int {
        switch order {
        case .ascending: return entries.firstIndex { key($0) > cursor.key } ?? entries.count
        case .descending: return entries.firstIndex { key($0) < cursor.key } ?? entries.count
        case .none:
            if let last = entries.firstIndex(where: { key($0) == cursor.key }) { return last + 1 }
            // With that entry gone, the one behind it has moved to its place.
            return min(cursor.position, entries.count)
        }
    }
}

/// A part of a list, and where the next one begins.
struct Page<Entry> {
    /// Entries of the whole list.
    let total: Int
    /// Where the next part begins; `nil` for the last one.
    let next: String?
    /// The entries of this part.
    let entries: [Entry]
}

extension Page: Sendable where Entry: Sendable {}
