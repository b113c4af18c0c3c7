import Reporting
import Testing

@Suite struct ReportTests {
    private let results: Results
    private let thresholds: Thresholds

    init() throws {
        results = try Results(
            text: """
                # processor: "one"
                pair\tbare\t-\tns\t30\t29\t31\t41
                pair\ttraced\t-\tns\t36\t35\t40\t41
                pair\ttraced\tbare\tx\t1.2\t1.1\t1.3\t41
                """)
        thresholds = try Thresholds(text: "pair traced/bare 1.19")
    }

    @Test func aTableHasARowForEachContender() {
        #expect(
            Report(results, thresholds: thresholds).render(as: .text) == """
                processor: "one"

                init and deinit, 1 thread, nothing else live  [pair]
                  contender    ns    p10–p90  × bare    p10–p90               limit
                  bare       30.0  29.0–31.0
                  traced     36.0  35.0–40.0    1.20  1.10–1.30  1.19 × bare MISSED

                """)
    }

    @Test func markdownHasTheSameCells() {
        let text = Report(results).render(as: .markdown)
        #expect(text.contains("| traced | 36.0 | 35.0–40.0 | 1.20 | 1.10–1.30 |"))
        #expect(text.contains("| --- | ---: | ---: | ---: | ---: |"))
    }

    @Test func jsonQuotesAndCarriesLimits() {
        let text = results.json(thresholds: thresholds)
        #expect(text.contains(#""processor": "\"one\"""#))
        #expect(text.contains(#""ratioTo": "bare", "unit": "x", "median": 1.2, "#))
        #expect(text.contains(#""samples": 41, "most": 1.19}"#))
        #expect(text.contains(#""notMeasured": []"#))
    }

    @Test func aFigureSurvivesItsLine() throws {
        let figure = Figure("pair", "traced", ratioTo: "bare", Spread(median: 1.25, low: 1, high: 2, samples: 9))
        #expect(Figure(line: figure.line) == figure)
        #expect(figure.renamed(suffix: ".debug").line.hasPrefix("pair.debug\ttraced\tbare\tx\t1.25\t"))
    }
}
