import LifetimeTracerTestKit
import Screens
import Testing

@Suite(.leakFree(because: "a screen goes when it is closed")) @MainActor
struct NoteScreenTests {
    @Test func aScreenLeaks() {
        let screen = NoteScreen()
        screen.appear()
    }

    @Test func aMendedScreenGoes() {
        let screen = MendedNoteScreen()
        screen.appear()
    }
}
