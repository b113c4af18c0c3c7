/// A secret text that is compared in constant time.
struct Secret: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns whether a text is the secret.
    ///
    /// The time does not depend on how much of the text is right.
    ///
    /// An empty secret matches nothing.
    func matches(_ shown: String) -> Bool {
        let shown = Array(shown.utf8)
        guard !bytes.isEmpty, !shown.isEmpty else { return false }
        var difference = bytes.count ^ shown.count
        for position in shown.indices {
            difference |= Int(shown[position] ^ bytes[position % bytes.count])
        }
        return difference == 0
    }
}
