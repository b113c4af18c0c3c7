import Reporting
import Testing

@Suite struct JudgementTests {
    private let results: Results

    init() throws {
        results = try Results(
            text: """
                # processor: one
                pair\tbare\t-\tns\t30\t29\t31\t41
                pair\ttraced\t-\tns\t36\t35\t40\t41
                pair\ttraced\tbare\tx\t1.2\t1.1\t1.3\t41
                ! process: heaptrack is not installed

                """)
    }

    @Test(arguments: [("1.2", true), ("1.19", false)])
    func aMedianMayReachItsLimitAndNotExceedIt(most: String, isHeld: Bool) throws {
        let judgement = Judgement(of: results, against: try Thresholds(text: "pair traced/bare \(most)"))
        #expect(judgement.isGood == isHeld)
        #expect(judgement.held.count == (isHeld ? 1 : 0))
        #expect(judgement.missed.count == (isHeld ? 0 : 1))
    }

    @Test func aMissNamesFigureAndLimit() throws {
        let judgement = Judgement(of: results, against: try Thresholds(text: "pair traced 10 # nanoseconds"))
        #expect(
            judgement.text == """
                MISSED      pair traced is 36.0 ns, limit 10.0 ns (init and deinit, 1 thread, nothing else live)
                0 held, 1 missed, 0 not measured
                """)
    }

    @Test func whatWasNotMeasuredIsNeitherAndSaysWhy() throws {
        let judgement = Judgement(
            of: results, against: try Thresholds(text: "process traced/bare 2\npair bare 31\ncold traced/bare 2"))
        #expect(judgement.isGood)
        #expect(
            judgement.unmeasured == [
                "process traced/bare: heaptrack is not installed", "cold traced/bare: not part of this run",
            ])
    }

    @Test func nothingMeasuredIsNoSuccess() throws {
        #expect(!Judgement(of: results, against: try Thresholds(text: "cold traced/bare 2")).isGood)
        #expect(!Judgement(of: results, against: try Thresholds(text: "# none\n")).isGood)
    }

    @Test(arguments: ["pair traced/bare", "pair traced/bare much", "pair /bare 2", "pair traced/bare -1", "a b c 4"])
    func anUnreadableLimitIsRefused(line: String) {
        #expect(throws: Thresholds.UnreadableLine.self) { try Thresholds(text: "\n\(line)") }
    }

    @Test(arguments: ["pair\tbare\t-\tns\t30\t29\t31", "pair\tbare\t-\tns\tnan\t29\t31\t41", "! pair"])
    func anUnreadableFigureIsRefused(line: String) {
        #expect(throws: Results.UnreadableLine.self) { try Results(text: line) }
    }
}
