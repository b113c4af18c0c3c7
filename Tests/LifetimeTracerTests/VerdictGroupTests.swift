import Testing

@testable import LifetimeTracer

/// The lines that the observer of standard error writes.
@Suite struct VerdictGroupTests {
    private let screen = TypeName(module: "App", name: "Screen")

    private func overdue(_ id: UInt64, because reason: String = "closed") -> Verdict {
        Verdict(
            .overdue, at: MonotonicTime(nanoseconds: 1), type: screen, instance: InstanceID(rawValue: id),
            label: id == 1 ? "first" : nil, site: SourceSite(file: "App/Screen.swift", line: 12), reason: reason,
            message: "Screen not deallocated: \(reason)")
    }

    private func lines(_ groups: inout VerdictGroups, _ verdicts: [Verdict]) -> [String] {
        for verdict in verdicts { groups.add(verdict) }
        return groups.takeLines()
    }

    @Test func aGroupHasOneLineWithItsSiteAndTheNumberOfFurtherInstances() {
        var groups = VerdictGroups()
        let found = (1...41).map { overdue($0) } + [overdue(50, because: "logged out")]
        #expect(
            lines(&groups, found) == [
                "overdue: Screen not deallocated: closed [#1 \"first\"], created at App/Screen.swift:12, and 40 more",
                "overdue: Screen not deallocated: logged out [#50], created at App/Screen.swift:12",
            ])
        #expect(groups.takeLines().isEmpty)
    }

    @Test func furtherInstancesAreToldAtTenfold() {
        var groups = VerdictGroups()
        #expect(lines(&groups, [overdue(1)]).count == 1)
        let later = (2...1000).flatMap { lines(&groups, [overdue($0)]) }
        #expect(
            later == [10, 100, 1000].map { "overdue: Screen not deallocated: closed, \($0) so far" })
    }

    @Test func aGrowingSubjectIsToldWithItsMostFrequentSite() {
        var groups = VerdictGroups()
        let site = SourceSite(file: "App/Screen.swift", line: 12)
        let verdicts = [nil, "changed"].map { event in
            Verdict(
                .growing, at: MonotonicTime(nanoseconds: 1), type: screen, event: event, site: site,
                reason: "growing \(event ?? "")", message: "it grows")
        }
        #expect(
            lines(&groups, verdicts) == [
                "growing: it grows, mostly created at App/Screen.swift:12",
                "growing: it grows, mostly registered at App/Screen.swift:12",
            ])
    }

    @Test func verdictsOnTypesAreToldEachTime() {
        var groups = VerdictGroups()
        let over = Verdict.overBudget(screen, live: 3, budget: 2, at: MonotonicTime(nanoseconds: 1))
        #expect((0..<3).flatMap { _ in lines(&groups, [over]) }.count == 3)
    }

    @Test func theNumberOfGroupsIsBounded() {
        var groups = VerdictGroups()
        for number in 0..<3000 { _ = lines(&groups, [overdue(2, because: "\(number)")]) }
        // The first group has been forgotten, so its next verdict gets a first line.
        #expect(lines(&groups, [overdue(3, because: "0")]).count == 1)
    }
}
