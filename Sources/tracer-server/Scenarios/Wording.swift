extension Int {
    /// Returns the number with the noun in singular or plural: `1 token`, `2 tokens`.
    func of(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
