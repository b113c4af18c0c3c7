/// The position behind the last entry of a page, as text that is opaque to clients: `p99-1c`.
struct PageCursor: Sendable, Equatable {
    /// The upper bound of positions, exclusive.
    private static let positionLimit = 1_000_000_000_000_000_000

    /// The position of the last entry in the list.
    let position: Int
    /// The key that identifies the last entry.
    let key: UInt64

    /// The cursor as text.
    var text: String { "p\(position)-\(String(key, radix: 16))" }

    init(position: Int, key: UInt64) {
        self.position = position
        self.key = key
    }

    /// Parses a text that ``text`` has produced; `nil` for any other text.
    init?(_ text: String) {
        let parts = text.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = Int(parts[0]), (0..<Self.positionLimit).contains(position),
            let key = UInt64(parts[1], radix: 16)
        else {
            return nil
        }
        self.init(position: position, key: key)
        guard self.text == text else { return nil }
    }
}
