import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing
import XCTest

/// The expectation on the ages of live instances.
@Suite(.repeatedOnRequest) struct MaximumAgeExpectationTests {
    private let clock = TestClock()
    private let registry: LifetimeRegistry

    init() { registry = LifetimeRegistry(clock: clock.tracer) }

    @Test func instanceIsTooOldWhenItReachesTheMaximumAge() async throws {
        let screens = registry.withCurrent { [Screen()] }
        clock.advance(by: .milliseconds(59_999))
        let young = registry.withCurrent { (Screen(), Pair()) }
        let before = try await recordedIssues { expectAges([Screen.self: .seconds(60), Pair.self: .seconds(60)]) }
        #expect(before.isEmpty)
        clock.advance(by: .milliseconds(1))
        let issues = try await recordedIssues {
            expectAges([Screen.self: .seconds(60), Pair.self: .seconds(60)], because: "a screen is closed soon")
        }
        #expect(issues.map(\.firstLine) == ["Too old: 1 Screen (maximum age 60 s, oldest 60 s)."])
        let text = try #require(issues.first?.text)
        #expect(text.contains("Expected: no older: a screen is closed soon."))
        #expect(text.contains("• Screen #\(screens[0].lifetimeID), created at LifetimeTracerTestKitTests/"))
        #expect(!text.contains("• Screen #\(young.0.lifetimeID)"), "the younger instance is not listed")
        withExtendedLifetime((screens, young)) {}
    }

    @Test func theOldestInstanceOfEachTypeIsNamed() async throws {
        let objects = registry.withCurrent { (Screen(), Pair()) }
        clock.advance(by: .seconds(5))
        let second = registry.withCurrent { Screen() }
        clock.advance(by: .seconds(2))
        let issues = try await recordedIssues { expectAges([Screen.self: .seconds(1), Pair.self: .zero]) }
        #expect(
            issues.map(\.firstLine) == [
                "Too old: 1 Pair (maximum age 0 ms, oldest 7 s), 2 Screen (maximum age 1 s, oldest 7 s)."
            ])
        withExtendedLifetime((objects, second)) {}
    }

    @Test func theProgramsMaximumAgesHoldUnlessTheCallReplacesThem() async throws {
        try registry.setMaximumAge(.seconds(10), for: Screen.self)
        let screen = registry.withCurrent { Screen() }
        clock.advance(by: .seconds(10))
        let issues = try await recordedIssues {
            expectAges([:])
            expectAges([Pair.self: .seconds(1)])
            expectAges([Screen.self: .seconds(11)])
        }
        let line = "Too old: 1 Screen (maximum age 10 s, oldest 10 s)."
        #expect(issues.map(\.firstLine) == [line, line])
        withExtendedLifetime(screen) {}
    }

    @Test func callWithoutAnyMaximumAgeFails() async throws {
        let issues = try await recordedIssues { expectAges([:]) }
        #expect(issues.map(\.firstLine) == ["Nothing was checked: no type has a maximum age."])
    }

    private func expectAges(_ ages: MaximumAges, because reason: String? = nil) {
        expectWithinMaximumAges(ages, because: reason, in: registry)
    }
}

/// The same expectation with XCTest.
final class MaximumAgeExpectationXCTests: RecordingTestCase {
    func testAnInstanceThatIsTooOldFailsItsTestAtTheLineOfTheCall() {
        let clock = TestClock()
        let registry = LifetimeRegistry(clock: clock.tracer)
        let screen = registry.withCurrent { Screen() }
        clock.advance(by: .seconds(60))
        let failures = recordedFailures {
            expectWithinMaximumAges([Screen.self: .seconds(61)], in: registry)
            expectWithinMaximumAges([Screen.self: .seconds(60)], in: registry)
        }
        XCTAssertEqual(failures.map(\.firstLine), ["Too old: 1 Screen (maximum age 60 s, oldest 60 s)."])
        XCTAssertEqual(failures.first?.line, #line - 3)
        withExtendedLifetime(screen) {}
    }
}
