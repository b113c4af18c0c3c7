import LifetimeTracer
import Testing

@testable import RetainPaths

@Suite struct ReportGroupTests {
    private func explanation(_ id: UInt64, culprit: UInt64? = nil, known: KnownLeak? = nil) -> RetainExplanation {
        RetainExplanation(
            instance: InstanceID(rawValue: id), type: TypeName(module: "Demo", name: "T\(id)"), status: .reachable,
            strongReferences: 1,
            explainedReferences: 1, culprit: culprit.map { InstanceID(rawValue: $0) }, known: known)
    }

    private func groups(_ explanations: [RetainExplanation]) -> [[UInt64]] {
        RetainReport(explanations: explanations).groups.map { group in
            [group.culprit.instance.rawValue] + group.victims.map(\.instance.rawValue)
        }
    }

    @Test func victimsAreGroupedUnderTheirCulprit() {
        #expect(groups([explanation(3, culprit: 1), explanation(2), explanation(1)]) == [[2], [1, 3]])
        // A victim of a victim belongs to the culprit's group.
        #expect(groups([explanation(3, culprit: 2), explanation(2, culprit: 1), explanation(1)]) == [[1, 3, 2]])
        // The culprit is not part of the question.
        #expect(groups([explanation(3, culprit: 9)]) == [[3]])
        // Instances that name each other as culprits, and one outside that names one of them.
        #expect(
            groups([explanation(1, culprit: 3), explanation(2, culprit: 3), explanation(3, culprit: 2)]) == [[2, 1, 3]])
        #expect(groups([]).isEmpty)
    }

    @Test func reportTextListsCulpritVictimsAndCost() {
        var cost = RetainCost()
        cost.objects = 12_345
        cost.blocks = 23_456
        cost.rounds = 1
        cost.total = .nanoseconds(87_460_000)
        cost.pause = .nanoseconds(1_250_000)
        let report = RetainReport(explanations: [explanation(2, culprit: 1), explanation(1)], cost: cost)
        #expect(
            report.text() == """
                T1 #1 is held by a root; 1 of 1 strong reference explained.
                  Victim: T2 #2

                Searched 12345 objects in 23456 heap blocks in 87.5 ms, 1 round; the program was paused for 1.3 ms.

                """)
        #expect(
            report.text(full: true).contains(
                "T2 #2 is held by a root; 1 of 1 strong reference explained. It is freed when #1 is freed."))
    }
}
