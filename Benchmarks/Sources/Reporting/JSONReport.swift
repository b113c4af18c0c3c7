extension Results {
    /// The results as a JSON object: facts, figures and gaps.
    ///
    /// - Parameter thresholds: The limits. A figure with a limit carries it as `most`.
    public func json(thresholds: Thresholds? = nil) -> String {
        let facts = facts.map { "    \($0.name.quoted): \($0.text.quoted)" }
        let figures = figures.map { figure in
            var fields = ["\"workload\": \(figure.workload.quoted)", "\"contender\": \(figure.contender.quoted)"]
            if let base = figure.base { fields.append("\"ratioTo\": \(base.quoted)") }
            fields += [
                "\"unit\": \(figure.unit.quoted)", "\"median\": \(figure.value.median)", "\"p10\": \(figure.value.low)",
                "\"p90\": \(figure.value.high)", "\"samples\": \(figure.value.samples)",
            ]
            if let most = thresholds?.limit(of: figure) { fields.append("\"most\": \(most)") }
            return "    {\(fields.joined(separator: ", "))}"
        }
        let gaps = gaps.map { "    {\"workload\": \($0.workload.quoted), \"reason\": \($0.reason.quoted)}" }
        let parts = [("machine", facts, "{", "}"), ("figures", figures, "[", "]"), ("notMeasured", gaps, "[", "]")]
        let text = parts.map { name, lines, open, close in
            let content = lines.isEmpty ? "" : "\n\(lines.joined(separator: ",\n"))\n  "
            return "  \(name.quoted): \(open)\(content)\(close)"
        }
        return "{\n\(text.joined(separator: ",\n"))\n}\n"
    }
}

extension String {
    fileprivate var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
