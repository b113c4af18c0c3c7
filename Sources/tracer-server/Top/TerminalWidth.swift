extension String {
    /// The terminal columns that the text takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the longest prefix that fits into a number of terminal columns.
    func fitting(columns: Int) -> String {
        var used = 0
        var end = startIndex
        for index in indices {
            used += self[index].columns
            guard used <= columns else { break }
            end = self.index(after: index)
        }
        return String(self[..<end])
    }
}

extension Character {
    /// The columns that the character takes: two for wide East Asian characters and emoji.
    ///
    /// The ranges approximate the wide and full-width ranges of Unicode's East Asian Width. They err towards two
    /// columns, so a line is cut rather than too long.
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return 1
        }
    }
}
