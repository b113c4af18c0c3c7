extension StringProtocol {
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
