/// Which part of a list is asked for.
struct PageRequest: Sendable {
    /// The most entries of a page.
    static let longest = 500
    /// The entries of a page where nothing is said.
    static let usual = 100

    /// The parameters that every list has.
    static let parameters = [
        Route.Parameter("limit", .integer(1...longest), "Entries of a page; \(usual) where it is not given."),
        Route.Parameter("after", .text, "The `next` of the page before.", schema: PageCursor.schema),
    ]

    /// The parameter of lists in which one can begin anywhere.
    static let offset = Route.Parameter(
        "offset", .integer(0...1_000_000_000),
        "Entries to skip, from the start of the list or, with `after`, from there.")

    private let limit: Int
    private let cursor: PageCursor?
    private let offset: Int

    /// Reads what a request asks for.
    ///
    /// - Parameter hasOffset: Whether the list can begin anywhere.
    /// - Throws: ``RequestError`` for an `after` that did not come from a page.
    init(_ request: RouteRequest, hasOffset: Bool = false) throws(RequestError) {
        limit = request.integer("limit") ?? Self.usual
        offset = hasOffset ? request.integer(Self.offset.name) ?? 0 : 0
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
    ///   - entries: The whole list, in order; its positions count from 0.
    ///   - order: Whether that is the order of the keys.
    ///   - key: What tells an entry from all others, whatever else changes.
    func page<List: RandomAccessCollection>(
        of entries: List, inKeyOrder order: KeyOrder = .none, key: (List.Element) -> UInt64
    ) -> Page<List.Element> where List.Index == Int {
        let first = cursor.map { firstPosition(behind: $0, entries, order, key) } ?? 0
        let start = min(first + offset, entries.count)
        let end = min(start + limit, entries.count)
        let next = end < entries.count ? PageCursor(position: end - 1, key: key(entries[end - 1])) : nil
        return Page(total: entries.count, next: next?.text, entries: Array(entries[start..<end]))
    }

    private func firstPosition<List: RandomAccessCollection>(
        behind cursor: PageCursor, _ entries: List, _ order: KeyOrder, _ key: (List.Element) -> UInt64
    ) -> Int where List.Index == Int {
        switch order {
        case .ascending: return entries.firstPosition { key($0) > cursor.key }
        case .descending: return entries.firstPosition { key($0) < cursor.key }
        case .none:
            // Where nothing has changed, the entry is still at its place, and none before it needs to be looked at.
            if cursor.position < entries.count, key(entries[cursor.position]) == cursor.key {
                return cursor.position + 1
            }
            if let last = entries.firstIndex(where: { key($0) == cursor.key }) { return last + 1 }
            // With that entry gone, the one behind it has moved to its place.
            return min(cursor.position, entries.count)
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first position of which something holds that holds of all behind it; the end where it holds of none.
    ///
    /// Looks at few entries of many.
    fileprivate func firstPosition(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
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
