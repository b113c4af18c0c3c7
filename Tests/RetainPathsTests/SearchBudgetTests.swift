import Testing

@testable import RetainPaths

/// The working time of a search's copies.
@Suite struct SearchBudgetTests {
    @Test func budgetCountsProcessorTime() {
        // Only CPU time counts: the search began two hours ago, but other processes had the processors.
        var budget = SearchBudget(.seconds(3_600), since: .now - .seconds(7_200))
        #expect(!budget.isSpent)
        budget.spend(.seconds(3_599))
        #expect(!budget.isSpent)
        budget.spend(.seconds(1))
        #expect(budget.isSpent)
    }

    @Test func budgetOfStoppedCopyIsSpentByWallTime() {
        #expect(SearchBudget(.seconds(30), since: .now - .seconds(601)).isSpent)
    }

    @Test func timeoutErrorStatesProcessorTimeAndStep() {
        var budget = SearchBudget(.seconds(30))
        budget.spend(.milliseconds(12_340))
        #expect("\(budget)".hasPrefix("12.3 s of processor time, ") && "\(budget)".hasSuffix(" s of elapsed time"))
        let error = RetainPathsError.timedOut(after: .seconds(30), step: "while counting: \(budget)")
        #expect(error.description.hasPrefix("The search timed out after 30 s, while counting: 12.3 s of"))
        #expect(
            RetainPathsError.timedOut(after: .seconds(30)).description
                == "The search timed out after 30 s. Raise its timeout.")
    }
}
