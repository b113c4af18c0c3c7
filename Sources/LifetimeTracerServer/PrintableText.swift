extension String {
    /// The first hundred characters, with control characters made harmless: for a line that a person reads on a
    /// terminal.
    var printable: String {
        String(unicodeScalars.prefix(100).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : Character($0) })
    }
}
