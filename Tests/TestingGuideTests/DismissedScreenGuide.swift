import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing
import XCTest

/// A screen that outlives its dismissal, as in the guide.
private enum Leaking {
    // guide: dismissed leaking
    @MainActor final class RecentNotes {
        static let shared = RecentNotes()
        private var screens: [NoteScreen] = []

        func add(_ screen: NoteScreen) { screens.append(screen) }
    }

    final class NoteScreen: TracedNode {
        @MainActor func appear() { RecentNotes.shared.add(self) }
    }
    // guide: end
}

private enum Mended {
    @MainActor final class RecentNotes {
        static let shared = RecentNotes()
        private var titles: [String] = []

        func add(_ title: String) { titles.append(title) }
    }

    final class NoteScreen: TracedNode {
        @MainActor func appear() { RecentNotes.shared.add("Shopping") }
    }
}

private let wantedLines = [
    "Leaking.NoteScreen #", "Expected: the instance is deallocated: dismissed.", "• Leaking.NoteScreen #",
]
private let wantedPath = ["Leaking.NoteScreen #", "  static Leaking.RecentNotes.shared", "  ↳ .screens["]

@Suite(.repeatedOnRequest, .reports(wantedLines, path: wantedPath)) struct LeakingDismissedScreenGuide {
    private typealias NoteScreen = Leaking.NoteScreen

    // guide: dismissed test
    @Test @MainActor func dismissedScreenIsReleased() async {
        let window = TracedNode()
        var screen: NoteScreen? = NoteScreen()
        if let screen {
            window.present(screen)
            screen.appear()
        }
        window.dismiss()
        await expectReleased(&screen, within: .milliseconds(100), because: "dismissed")
    }
    // guide: end
}

@Suite(.repeatedOnRequest) struct MendedDismissedScreenGuide {
    private typealias NoteScreen = Mended.NoteScreen

    @Test @MainActor func dismissedScreenIsReleased() async {
        let window = TracedNode()
        var screen: NoteScreen? = NoteScreen()
        if let screen {
            window.present(screen)
            screen.appear()
        }
        window.dismiss()
        await expectReleased(&screen, within: .milliseconds(100), because: "dismissed")
    }
}

final class LeakingDismissedScreenXCTestGuide: ReportingTestCase {
    private typealias NoteScreen = Leaking.NoteScreen
    override class var wanted: ReportWanted { ReportWanted(lines: wantedLines, pathLines: wantedPath) }

    // guide: dismissed XCTest
    @MainActor func testDismissedScreenIsReleased() async {
        let window = TracedNode()
        let screen = NoteScreen()
        trackForLeaks(screen, because: "dismissed")
        window.present(screen)
        screen.appear()
        window.dismiss()
    }
    // guide: end
}

final class MendedDismissedScreenXCTestGuide: XCTestCase {
    private typealias NoteScreen = Mended.NoteScreen

    @MainActor func testDismissedScreenIsReleased() async {
        let window = TracedNode()
        let screen = NoteScreen()
        trackForLeaks(screen, because: "dismissed")
        window.present(screen)
        screen.appear()
        window.dismiss()
    }
}
