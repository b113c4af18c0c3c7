import Testing

@testable import LifetimeTracerDashboard

/// The memory that is reserved for the next answer of a route.
@Suite struct UsualSizeTests {
    @Test func roomFollowsTheAnswers() {
        let size = UsualSize()
        size.record(100_000)
        #expect(size.room > 100_000 && size.room < 120_000)
        for _ in 0..<30 { size.record(700) }
        #expect(size.room > 700 && size.room < 1000)
    }
}
