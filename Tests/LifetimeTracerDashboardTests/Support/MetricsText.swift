import Testing

/// A strict parser for the text formats of Prometheus and OpenMetrics.
enum MetricsText {
    /// Checks every line: each metric is described once, before its samples, and each sample occurs once.
    ///
    /// - Returns: The samples: the name with labels, and the value.
    @discardableResult
    static func check(
        _ text: String, isOpenMetrics: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String: String] {
        let sample =
            #/
            (?<name>[a-z_]+)
            (\{[a-z_]+="([^"\\\n]|\\\\|\\"|\\n)*"(,[a-z_]+="([^"\\\n]|\\\\|\\"|\\n)*")*\})?
            \x20(?<number>[0-9]+(\.[0-9]+)?(e\+[0-9]+)?)
            /#
        let describe = #/# (?<what>HELP|TYPE) (?<name>[a-z_]+) (?<text>[^\n]+)/#
        var samples: [String: String] = [:]
        var types: [String: String] = [:]
        var helps: Set<String> = []
        var finished: Set<String> = []
        var current = ""
        #expect(text.hasSuffix("\n"), sourceLocation: sourceLocation)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        if isOpenMetrics { #expect(lines.popLast() == "# EOF", sourceLocation: sourceLocation) }
        for line in lines {
            if let match = line.wholeMatch(of: describe) {
                let name = String(match.name)
                if match.what == "HELP" {
                    #expect(
                        helps.insert(name).inserted && finished.insert(name).inserted, sourceLocation: sourceLocation)
                } else {
                    #expect(["gauge", "counter"].contains(match.text), sourceLocation: sourceLocation)
                    #expect(helps.contains(name) && types[name] == nil, sourceLocation: sourceLocation)
                    types[name] = String(match.text)
                    current = name
                    #expect(
                        isOpenMetrics != (match.text == "counter" && name.hasSuffix("_total")) || match.text == "gauge")
                }
            } else {
                let match = try #require(line.wholeMatch(of: sample), "\(line)", sourceLocation: sourceLocation)
                let suffix = isOpenMetrics && types[current] == "counter" ? "_total" : ""
                #expect(match.name == current + suffix, sourceLocation: sourceLocation)
                let key = String(line.dropLast(match.number.count + 1))
                #expect(samples.updateValue(String(match.number), forKey: key) == nil, sourceLocation: sourceLocation)
            }
        }
        return samples
    }
}
