extension String {
    /// The first hundred characters with control characters replaced, for terminal output.
    var printable: String {
        String(unicodeScalars.prefix(100).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : Character($0) })
    }
}
