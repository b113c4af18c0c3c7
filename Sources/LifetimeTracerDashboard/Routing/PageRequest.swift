import LifetimeTracer

/// The part of a list that a request asks for.
package struct PageRequest: Sendable {
    /// The most entries on a page.
    static let longest = 500
    /// The number of entries on a page if the request sets no limit.
    static let usual = 100

    /// The parameters of every list.
    package static let parameters = [
        Route.Parameter("limit", .integer(1...longest), "Maximum number of entries on the page; default \(usual)."),
        Route.Parameter("after", .text, "The value of `next` on the previous page.", schema: PageCursor.schema),
    ]

    /// The additional parameter of lists that support an offset.
    static let offset = Route.Parameter(
        "offset", .integer(0...1_000_000_000),
        "Number of entries to skip, from the start of the list or, with `after`, from that position.")

    private let limit: Int
    private let cursor: PageCursor?
    private let offset: Int

    /// Reads the paging parameters of a request.
    ///
    /// - Parameter hasOffset: Whether the list supports an offset.
    /// - Throws: ``RequestError`` for an `after` that no page returned.
    package init(_ request: RouteRequest, hasOffset: Bool = false) throws(RequestError) {
        limit = request.integer("limit") ?? Self.usual
        offset = hasOffset ? request.integer(Self.offset.name) ?? 0 : 0
        guard let text = request.text("after") else {
            cursor = nil
            return
        }
        guard let cursor = PageCursor(text) else {
            throw .invalidParameter("after", text, accepted: "the value of `next` on the previous page")
        }
        self.cursor = cursor
    }

    /// Whether the entries of a list are sorted by key, and in which direction.
    package enum KeyOrder: Sendable {
        case ascending
        case descending
        /// Not sorted by key.
        case none
    }

    /// Cuts the page out of the whole list.
    ///
    /// The list may have changed since the previous page was read. The page starts behind the last entry of the
    /// previous page, or at that entry's old position if the entry is gone.
    ///
    /// - Parameters:
    ///   - entries: The whole list, in order; its indices start at 0.
    ///   - order: Whether the list is sorted by key.
    ///   - key: Returns the key that identifies an entry for as long as the entry exists.
    package func page<List: RandomAccessCollection>(
        of entries: List, inKeyOrder order: KeyOrder = .none, key: (List.Element) -> UInt64
    ) -> Page<List.Element> where List.Index == Int {
        let first = cursor.map { firstPosition(behind: $0, entries, order, key) } ?? 0
        let start = min(first + offset, entries.count)
        let end = min(start + limit, entries.count)
        let next = end < entries.count ? PageCursor(position: end - 1, key: key(entries[end - 1])) : nil
        return Page(total: entries.count, next: next?.text, entries: Array(entries[start..<end]))
    }

    /// Returns the range of all live instances that the page needs, which is one more than it shows.
    func range(in order: KeyOrder) -> IDRange {
        IDRange(
            isAscending: order == .ascending, behind: cursor.map { InstanceID(rawValue: $0.key) }, limit: limit + 1)
    }

    /// Cuts the page out of the instances of its ``range(in:)``; returns their places.
    func page(of extract: InstanceExtract, in order: KeyOrder) -> Page<Int> {
        let found = extract.instances
        let places = (0..<min(limit, found.count)).map { order == .ascending ? $0 : found.count - 1 - $0 }
        // The position of an entry does not matter in a list that is sorted by key.
        let next =
            found.count > limit
            ? places.last.map { last in
                PageCursor(position: extract.position + limit - 1, key: found[last].id.rawValue).text
            } : nil
        return Page(total: extract.total, next: next, entries: places)
    }

    private func firstPosition<List: RandomAccessCollection>(
        behind cursor: PageCursor, _ entries: List, _ order: KeyOrder, _ key: (List.Element) -> UInt64
    ) -> Int where List.Index == Int {
        switch order {
        case .ascending: return entries.firstPosition { key($0) > cursor.key }
        case .descending: return entries.firstPosition { key($0) < cursor.key }
        case .none:
            // If the list has not changed, the entry is still at its position, and no search is necessary.
            if cursor.position < entries.count, key(entries[cursor.position]) == cursor.key {
                return cursor.position + 1
            }
            if let last = entries.firstIndex(where: { key($0) == cursor.key }) { return last + 1 }
            // The entry is gone; the entry behind it has moved to its position.
            return min(cursor.position, entries.count)
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first position whose element satisfies a predicate, by binary search; the end if no element does.
    ///
    /// All elements behind a satisfying element must satisfy the predicate too.
    fileprivate func firstPosition(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A part of a list, with the cursor of the next part.
package struct Page<Entry> {
    /// The number of entries in the whole list.
    package let total: Int
    /// The cursor of the next part; `nil` for the last part.
    package let next: String?
    /// The entries of this part.
    package let entries: [Entry]
}

extension Page: Sendable where Entry: Sendable {}
