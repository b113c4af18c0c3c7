import Testing

@testable import RetainPaths

/// Findings that are searched for a second time, because the process may have been copied during a change.
@Suite struct DoubtfulFindingTests {
    @Test(arguments: [
        (HeapAnswer.Finding.made(.noRootFound, [], strong: 1, found: 0), true),
        (.made(.reachable, [], strong: 1, found: 2), true),
        (.made(.cycle, [], strong: 1, found: 2), true),
        (.made(.reachable, [], strong: 1, found: 1), false),
        (.made(.reachable, [], strong: 2, found: 1), false),
        (.made(.notFound, [], strong: 0, found: 0), false),
    ])
    func findingWithoutRootOrWithExcessHoldersIsDoubtful(finding: HeapAnswer.Finding, isDoubtful: Bool) {
        #expect(finding.isDoubtful == isDoubtful)
    }

    @Test func onlyDoubtfulFindingsComeFromTheSecondSearch() {
        var first = HeapAnswer()
        var second = HeapAnswer()
        first.findings = [
            .made(.reachable, [], strong: 1, found: 2), .made(.reachable, [], strong: 3, found: 3),
            .made(.noRootFound, [], strong: 1, found: 0),
        ]
        second.findings = [
            .made(.reachable, [], strong: 1, found: 1), .made(.reachable, [], strong: 3, found: 2),
            .made(.cycle, [], strong: 1, found: 1),
        ]
        let whole = first.withoutDoubtfulFindings(from: second)
        #expect(whole.findings.map(\.found) == [1, 3, 1])
        #expect(whole.findings.map(\.status) == [.reachable, .reachable, .cycle])
    }
}
