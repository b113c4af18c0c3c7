import TracerBase

/// A pattern for the signature of a path: parts with `→` between them, and `*` for any text in a part.
///
/// The parts must occur in the path in this order; other words may be between them. The last part must match the end of
/// the path, which is the instance. A part that names a property also matches the properties inside it: `Hub.subs`
/// matches `Hub.subs.1`.
struct PathPattern: Sendable, Hashable {
    /// The character between the parts.
    static let separator: Character = "→"

    private let parts: [Part]

    /// Reads a pattern; `nil` if a part is empty.
    init?(_ text: String) {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(Part.init)
        guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.parts = parts
    }

    /// Whether the pattern matches the words of a path.
    func matches(_ words: [String]) -> Bool {
        guard let end = parts.last, let last = words.last, end.matches(last) else { return false }
        var rest = words.dropLast()[...]
        // The first match is the best one, because it leaves the most words for the remaining parts.
        for part in parts.dropLast() {
            guard let found = rest.firstIndex(where: part.matches) else { return false }
            rest = rest[(found + 1)...]
        }
        return true
    }

    private struct Part: Sendable, Hashable {
        private let pattern: WildcardPattern
        var isEmpty: Bool { pattern.isEmpty }

        init(_ text: Substring) {
            pattern = WildcardPattern(text)
        }

        func matches(_ word: String) -> Bool {
            if pattern.matches(word[...]) { return true }
            return word.indices.contains { word[$0] == "." && pattern.matches(word[..<$0]) }
        }
    }
}
