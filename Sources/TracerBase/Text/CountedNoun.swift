extension Int {
    /// The number with its noun: `1 token`, `2 tokens`.
    ///
    /// - Parameter isGrouped: Whether long numbers have separators: `2,000 tokens`.
    package func counted(_ noun: String, isGrouped: Bool = false) -> String {
        "\(isGrouped ? grouped : String(self)) \(noun)\(self == 1 ? "" : "s")"
    }
}
