import KitTesting
import LifetimeTracer
import XCTest

@testable import LifetimeTracerTestKit

/// The kit under XCTest.
final class XCTestTests: RecordingTestCase {
    private final class EmptyCase: InspectedCase {}

    private final class LenientCase: InspectedCase {
        override var leakRules: LeakRules { LeakRules(budgets: [Screen.self: 1], settling: .zero) }
    }

    private final class SkippedRun: XCTestCaseRun {
        override var hasBeenSkipped: Bool { true }
    }

    private final class SkippedCase: InspectedCase {
        private lazy var run = SkippedRun(test: self)
        override var testRun: XCTestRun? { run }
        override var leakRules: LeakRules { LeakRules(settling: .zero) }
    }

    private final class CaseWithAProperty: InspectedCase {
        var screen: Screen?
        override var leakRules: LeakRules { LeakRules(settling: .zero) }
        override func setUp() { screen = Screen() }
    }

    func testBlockThatLeavesAnObjectFails() {
        var kept: Screen?
        let failures = recordedFailures { assertLeakFree(LeakRules(settling: .zero)) { kept = Screen() } }
        XCTAssertEqual(failures.map(\.firstLine), ["Left behind by the block: 1 Screen."])
        XCTAssertEqual(failures.first?.file, "\(#filePath)")
        XCTAssertEqual(failures.first?.line, #line - 3)
        kept = nil
        XCTAssertTrue(recordedFailures { assertLeakFree { withExtendedLifetime(Screen()) {} } }.isEmpty)
        _ = kept
    }

    func testSettlingWaitsForReleaseOnTheMainQueue() {
        let failures = recordedFailures {
            assertLeakFree(LeakRules(settling: .seconds(60))) {
                let screen = Screen()
                DispatchQueue.main.async { withExtendedLifetime(screen) {} }
            }
        }
        XCTAssertTrue(failures.isEmpty, "\(failures)")
    }

    func testTrackedObjectIsCheckedAfterTheTeardown() {
        var kept: Screen?
        let failures = failures(of: XCTestCase.self) { testCase in
            testCase.trackForLeaks(Screen())
            let screen = Screen()
            testCase.trackForLeaks(screen, within: .zero)
            kept = screen
        }
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.first?.firstLine.hasSuffix(" is still alive.") ?? false)
        XCTAssertEqual(failures.first?.line, #line - 5)
        XCTAssertNotNil(kept)
    }

    func testBaseClassChecksAllObjectsOfATest() {
        XCTAssertTrue(failures(of: EmptyCase.self) { _ in withExtendedLifetime(Screen()) {} }.isEmpty)

        let leaky = failures(of: LenientCase.self) { _ in Pair.leak("one") }
        XCTAssertEqual(leaky.map(\.firstLine), ["Left behind by the test: 2 Pair."])
        XCTAssertEqual(leaky.first?.file, "LifetimeTracerTestKitTests/Leaks.swift")

        var kept: [Screen] = []
        XCTAssertTrue(failures(of: LenientCase.self) { _ in kept.append(Screen()) }.isEmpty)
        let over = failures(of: LenientCase.self) { _ in kept = [Screen(), Screen()] }
        XCTAssertEqual(over.map(\.firstLine), ["Left behind by the test: 2 Screen (budget 1)."])
        withExtendedLifetime(kept) {}
    }

    func testTheLineOfATestIsFoundInItsSource() {
        let line = #line - 1
        let folder = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().path
        let name = "\(Self.self)"
        XCTAssertEqual(
            TestSource.place(of: "testTheLineOfATestIsFoundInItsSource", in: name, below: folder),
            TestSource.Place(file: "\(#filePath)", line: line))
        XCTAssertNil(TestSource.place(of: "testNothing", in: name, below: folder))
        let text = "// class Login\nclass LoginTests {\n  func testIt() {}\n}\nclass Login {\n  func testIt() {}\n}"
        XCTAssertEqual(TestSource.line(of: "testIt", in: "Login", text), 6)
        XCTAssertEqual(TestSource.line(of: "testIt", in: "LoginTests", text), 3)
    }

    func testALeakOfATestThatWasSkippedIsNoFailure() {
        let skipped = failures(of: SkippedCase.self) { _ in Pair.leak("one") }
        XCTAssertTrue(skipped.isEmpty, "\(skipped)")
    }

    func testCreationStackEndsBeforeXCTest() {
        let failures = recordedFailures { assertLeakFree(LeakRules(settling: .zero)) { Pair.leak("one") } }
        let calls = failures.first?.text.split(separator: "\n").filter { $0.hasPrefix("    in ") } ?? []
        XCTAssertTrue(calls.last?.hasSuffix("XCTestTests.testCreationStackEndsBeforeXCTest()") ?? false, "\(calls)")
    }

    func testObjectInATestCasePropertyIsReported() {
        let failures = failures(of: CaseWithAProperty.self) { _ in }
        XCTAssertEqual(failures.map(\.firstLine), ["Left behind by the test: 1 Screen."])
    }

    func testExpectReleasedAcceptsTheLastReference() {
        var screen: Screen? = Screen()
        expectReleased(&screen, because: "nobody else has it")
        XCTAssertNil(screen)
        expectDeallocated(because: "nobody else has it") { Screen() }
    }

    func testAsynchronousExpectationsAcceptFreedObjects() async {
        var screen: Screen? = Screen()
        await expectReleased(&screen, because: "nobody else has it")
        await assertLeakFree { await Task { withExtendedLifetime(Screen()) {} }.value }
        await expectNoGrowth { await Task { withExtendedLifetime(Screen()) {} }.value }
    }
}

/// Tests with the base class; a leak would fail them.
final class LeakFreeTestCaseTests: LeakFreeTestCase {
    func testATestHasARegistryOfItsOwn() {
        XCTAssertFalse(LifetimeRegistry.current === LifetimeRegistry.shared)
        let screen = Screen()
        XCTAssertTrue(screen.lifetimeRegistry === LifetimeRegistry.current)
        expectLive(Screen.self, count: 1)
    }

    func testAsynchronousTestHasItsOwnRegistry() async {
        XCTAssertFalse(LifetimeRegistry.current === LifetimeRegistry.shared)
        let screen = await Task { Screen() }.value
        XCTAssertTrue(screen.lifetimeRegistry === LifetimeRegistry.current)
    }
}
