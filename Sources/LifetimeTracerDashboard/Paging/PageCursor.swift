/// The place behind the last entry of a page, as text that is opaque to those who send it back: `p99-1c`.
struct PageCursor: Sendable, Equatable {
    /// Positions are below it.
    private static let positionLimit = 1_000_000_000_000_000_000

    /// Where the entry stood.
    let position: Int
    /// What tells it from all others.
    let key: UInt64

    /// The place as text.
    var text: String { "p\(position)-\(String(key, radix: 16))" }

    init(position: Int, key: UInt64) {
        self.position = position
        self.key = key
    }

    /// Reads exactly what ``text`` writes.
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
