import LifetimeTracerTestKit
import Screens
import XCTest

final class NoteScreenCase: LeakFreeTestCase {
    @MainActor func testAScreenLeaks() async {
        let screen = NoteScreen()
        screen.appear()
    }

    @MainActor func testAMendedScreenGoes() async {
        let screen = MendedNoteScreen()
        screen.appear()
    }

    @MainActor func testATrackedScreenLeaks() async {
        let screen = NoteScreen()
        trackForLeaks(screen, because: "a screen goes when it is closed")
        screen.appear()
    }
}
