extension Substring {
    /// The range of the first occurrence of a text.
    ///
    /// The standard library's own search is in a module that this module does not link.
    package func place(of text: String) -> Range<Index>? {
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
}

extension String {
    /// The range of the first occurrence of a text.
    package func place(of text: String) -> Range<Index>? { self[...].place(of: text) }
}
