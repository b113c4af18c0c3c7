import LifetimeTracer
import Testing

@testable import tracer_server

@Suite struct WorkloadTests {
    @Test func workloadStaysWithinItsBudgetAndLeaksNothing() async throws {
        let registry = LifetimeRegistry(clock: ManualClock())
        let workload = Workload(registry: registry)
        try await workload.prepare()
        var most = 0
        for _ in 0..<500 {
            await registry.withCurrent { await workload.work() }
            most = max(most, registry.summary().live)
        }
        registry.check()
        let summary = registry.summary()
        #expect(summary.live > 0 && most <= Workload.budget)
        #expect(summary.born > 100 && summary.died > 100)
        #expect(summary.overBudget == 0 && summary.overdue == 0 && summary.brokenInvariants == 0)
        #expect(summary.tokens.orphaned == 0 && summary.tokens.deliveries > 0)
        let types = registry.snapshot().types
        #expect(Set(types.map(\.group)) == [Workload.group])
    }
}
