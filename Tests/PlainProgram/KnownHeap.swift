#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An object with a text that is too long to be stored in place.
final class PlainNote {
    let text: String

    init(_ number: Int) {
        text = "the text of a note with the number \(number)"
    }
}

/// An object that only the main thread's stack holds.
final class PlainBinder {
    var notes: [PlainNote] = []
}

/// A heap whose contents a test knows.
enum KnownHeap {
    // `nonisolated(unsafe)` is safe because the main thread alone uses both arrays.
    nonisolated(unsafe) private static var shelf: [PlainNote] = []
    nonisolated(unsafe) private static var screens: [PlainScreen] = []

    /// Makes 200 notes in a variable and 30 in a binder on the stack, leaks three cycles, and waits until a signal ends
    /// the program.
    static func make() {
        shelf = (0..<200).map(PlainNote.init)
        for _ in 0..<3 { showScreen() }
        screens = []
        wait(with: binder())
    }

    /// Makes a cycle that a variable holds, because an optimised program makes no objects that nothing has ever held.
    @inline(never)
    private static func showScreen() {
        let screen = PlainScreen()
        let model = PlainModel()
        screen.model = model
        model.screen = screen
        screens.append(screen)
    }

    @inline(never)
    private static func binder() -> PlainBinder {
        let binder = PlainBinder()
        binder.notes = (200..<230).map(PlainNote.init)
        return binder
    }

    @inline(never)
    private static func wait(with binder: PlainBinder) {
        withExtendedLifetime(binder) {
            print("made")
            fflush(nil)
            while true { pause() }
        }
    }
}
