/// The Levenshtein distance: the fewest insertions, deletions and replacements of letters that turn one word into
/// another.
enum EditDistance {
    /// Returns the distance; `nil` if it is larger than `limit`.
    static func between<Letter: Equatable>(_ left: [Letter], _ right: [Letter], atMost limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var row = Array(0...right.count)
        for (position, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
            guard (row.min() ?? 0) <= limit else { return nil }
        }
        return row[right.count] <= limit ? row[right.count] : nil
    }
}
