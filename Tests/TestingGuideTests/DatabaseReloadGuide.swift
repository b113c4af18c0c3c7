import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing
import XCTest

/// A hub of closures that reload screens, as in the guide.
private enum Leaking {
    // guide: reload leaking
    enum Database {
        static let changes = ObserverHub<Int>(event: "databaseChanged")
    }

    @MainActor final class DetailScreen: TracedObject {
        private var reloads = 0

        func appear() {
            Database.changes.observe(owner: self, onMainActor: { _ in self.reloads += 1 })?.keep()
        }
    }
    // guide: end
}

private enum Mended {
    enum Database {
        static let changes = ObserverHub<Int>(event: "databaseChanged")
    }

    @MainActor final class DetailScreen: TracedObject {
        private var reloads = 0

        func appear() {
            Database.changes.observe(owner: self, onMainActor: { [weak self] _ in self?.reloads += 1 })?.keep(for: self)
        }
    }
}

private let wantedLines = [
    "Grew in 3 rounds, which left: Leaking.DetailScreen (1, 1, 1), "
        + "hub tokens for databaseChanged of Leaking.DetailScreen (1, 1, 1).",
    "Expected: no growth from round to round: a visit is over when the screen is popped.",
    "• Leaking.DetailScreen #4", "• hub token for databaseChanged, owner Leaking.DetailScreen #1",
    "4 tokens for databaseChanged are in force.", "Expected: 0.",
]
private let wantedPath = [
    "Leaking.DetailScreen #4 is held by static Leaking.Database.changes",
    "  ↳ closure #1 (Int) -> () in Leaking.DetailScreen.appear", "[weak self]",
]

@Suite(.repeatedOnRequest, .reports(wantedLines, path: wantedPath)) struct LeakingDatabaseReloadGuide {
    private typealias DetailScreen = Leaking.DetailScreen
    private typealias Database = Leaking.Database

    // guide: reload test
    @Test(.leakFree)
    @MainActor func visitsLeaveNothing() {
        expectNoGrowth(rounds: 3, because: "a visit is over when the screen is popped") {
            let screen = DetailScreen()
            screen.appear()
            Database.changes.send(1)
        }
        expectTokens(event: "databaseChanged", count: 0)
    }
    // guide: end
}

@Suite(.repeatedOnRequest) struct MendedDatabaseReloadGuide {
    private typealias DetailScreen = Mended.DetailScreen
    private typealias Database = Mended.Database

    @Test(.leakFree)
    @MainActor func visitsLeaveNothing() {
        expectNoGrowth(rounds: 3, because: "a visit is over when the screen is popped") {
            let screen = DetailScreen()
            screen.appear()
            Database.changes.send(1)
        }
        expectTokens(event: "databaseChanged", count: 0)
    }
}

final class LeakingDatabaseReloadXCTestGuide: ReportingTestCase {
    private typealias DetailScreen = Leaking.DetailScreen
    private typealias Database = Leaking.Database
    override class var wanted: ReportWanted { ReportWanted(lines: wantedLines, pathLines: wantedPath) }

    // guide: reload XCTest
    @MainActor func testVisitsLeaveNothing() async {
        await expectNoGrowth(rounds: 3, because: "a visit is over when the screen is popped") {
            let screen = DetailScreen()
            screen.appear()
            Database.changes.send(1)
        }
        expectTokens(event: "databaseChanged", count: 0)
    }
    // guide: end
}

final class MendedDatabaseReloadXCTestGuide: LeakFreeTestCase {
    private typealias DetailScreen = Mended.DetailScreen
    private typealias Database = Mended.Database

    @MainActor func testVisitsLeaveNothing() async {
        await expectNoGrowth(rounds: 3, because: "a visit is over when the screen is popped") {
            let screen = DetailScreen()
            screen.appear()
            Database.changes.send(1)
        }
        expectTokens(event: "databaseChanged", count: 0)
    }
}
