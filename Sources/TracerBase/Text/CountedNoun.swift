extension Int {
    /// The number with its noun: `1 token`, `2 tokens`.
    package func counted(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
