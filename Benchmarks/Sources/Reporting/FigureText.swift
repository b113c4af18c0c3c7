extension Double {
    /// The number with about three digits: 0.031, 1.24, 35.6, 1184.
    var asFigure: String {
        let size = magnitude
        let digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size == 0 ? 2 : 4
        return asDecimal(digits: digits)
    }

    private func asDecimal(digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (magnitude * scale).rounded()
        // Larger numbers need no rounding, and would overflow an integer.
        guard scaled < 1e15 else { return "\(self)" }
        let whole = Int(scaled)
        let sign = self < 0 && whole != 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let text = String(whole)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}

extension Spread {
    /// The low and the high end, `1.10–1.31`; empty for a single sample.
    var ends: String { samples > 1 ? "\(low.asFigure)–\(high.asFigure)" : "" }
}
