extension Int {
    /// The number with a comma between thousands, for messages: `1,151`.
    ///
    /// The page writes its figures in the same form.
    package var grouped: String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (place, digit) in zip((0..<digits.count).reversed(), digits) {
            text.append(digit)
            if place > 0, place.isMultiple(of: 3) { text.append(",") }
        }
        return text
    }
}
