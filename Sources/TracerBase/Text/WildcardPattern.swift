/// A pattern for a whole text, with `*` for any characters, also none.
///
/// Spaces at both ends of the pattern are ignored. Files of known leaks and of rules use these patterns.
package struct WildcardPattern: Sendable, Hashable {
    /// The texts between the stars.
    private let pieces: [String]

    package init(_ pattern: Substring) {
        let trimmed = String(pattern.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        pieces = trimmed.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether the pattern matches the empty text only.
    package var isEmpty: Bool { pieces == [""] }

    /// Whether the pattern matches a text.
    ///
    /// Takes time in proportion to the product of both lengths at worst.
    package func matches(_ text: Substring) -> Bool {
        guard let first = pieces.first, let last = pieces.last, text.hasPrefix(first) else { return false }
        guard pieces.count > 1 else { return text == first }
        var rest = text.dropFirst(first.count)
        // The leftmost match of each piece leaves the most text for the remaining pieces.
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.place(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count >= last.count && rest.hasSuffix(last)
    }
}
