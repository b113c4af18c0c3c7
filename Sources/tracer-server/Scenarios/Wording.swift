extension Int {
    /// `1 token`, `2 tokens`.
    func of(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
