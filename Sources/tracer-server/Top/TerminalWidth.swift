extension String {
    /// The first characters, as many as fit into so many columns of a terminal.
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
    /// The columns that the character takes: two for East Asian wide ones and emoji.
    ///
    /// Ranges of Unicode's East Asian Width, wide and full width, roughly: a character too much is cut, none too few.
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
