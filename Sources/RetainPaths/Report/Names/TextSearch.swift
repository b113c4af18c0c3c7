extension StringProtocol {
    /// The range of the first occurrence of a text.
    ///
    /// The standard library's own search is in a module that this module does not link.
    func place(of text: String) -> Range<Index>? {
        guard let first = text.first else { return nil }
        var start = startIndex
        while let candidate = self[start...].firstIndex(of: first) {
            if self[candidate...].hasPrefix(text) {
                return candidate..<index(candidate, offsetBy: text.count)
            }
            start = index(after: candidate)
        }
        return nil
    }

    /// The range of the first occurrence of a text outside all brackets.
    func placeOutsideBrackets(of text: String) -> Range<Index>? {
        var depth = 0
        var previous: Character = " "
        var position = startIndex
        while position < endIndex {
            let character = self[position]
            if depth == 0, self[position...].hasPrefix(text) {
                return position..<index(position, offsetBy: text.count)
            }
            switch character {
            case "(", "<", "[": depth += 1
            case ")", "]": depth -= 1
            // The arrow of a function type is not a bracket.
            case ">" where previous != "-": depth -= 1
            default: break
            }
            previous = character
            position = index(after: position)
        }
        return nil
    }
}
