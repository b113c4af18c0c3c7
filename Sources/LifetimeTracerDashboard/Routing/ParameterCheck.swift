extension Route.Parameter {
    /// Returns the text if the parameter accepts it; otherwise throws.
    func validated(_ text: String) throws(RequestError) -> String {
        let fits =
            switch value {
            case .text: true
            case .integer(let range): Self.integer(text).map(range.contains) ?? false
            case .number(let range): Self.number(text).map(range.contains) ?? false
            case .choice(let choices): choices.contains(text)
            }
        guard fits else { throw .invalidParameter(name, text, accepted: accepted) }
        return text
    }

    /// The accepted values, in words.
    var accepted: String {
        switch value {
        case .text: known()
        case .integer(let range):
            range.upperBound == .max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(Self.inWords(range.lowerBound)) to \(Self.inWords(range.upperBound))"
        case .choice(let choices): choices.joined(separator: ", ")
        }
    }

    /// Parses a whole number of decimal digits.
    ///
    /// Signs are refused, because no parameter has negative values.
    static func integer(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return Int(text)
    }

    /// Parses a number: digits with at most one point between them, optionally a minus sign before and an exponent
    /// behind.
    static func number(_ text: String) -> Double? {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let digits = (parts.first ?? "").drop(atMostOne: ["-"]).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let exponent = parts.dropFirst().map { $0.drop(atMostOne: ["-", "+"]) }
        guard (digits + exponent).allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }) else { return nil }
        return Double(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func inWords(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}

extension Substring {
    /// Returns the text without its first character if that is one of the signs.
    fileprivate func drop(atMostOne signs: Set<Character>) -> Substring {
        first.map(signs.contains) ?? false ? dropFirst() : self
    }
}

extension RequestError {
    /// Returns the error for a parameter whose value is not accepted.
    package static func invalidParameter(_ name: String, _ value: String, accepted: String) -> Self {
        Self(
            status: 400, code: "invalidParameter",
            message: "The parameter \"\(name)\" has the invalid value \"\(value.shortened)\".",
            hint: "Accepted: \(accepted).")
    }
}

extension String {
    /// The text, cut to 120 characters, so that it fits into a message.
    package var shortened: String {
        count <= 120 ? self : "\(prefix(120))…"
    }
}
