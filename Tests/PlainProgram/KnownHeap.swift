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
    // `nonisolated(unsafe)` is safe because the main thread alone uses the shelf.
    nonisolated(unsafe) private static var shelf: [PlainNote] = []

    /// Makes 200 notes in a variable and 30 in a binder on the stack, leaks three cycles, and waits until a signal ends
    /// the program.
    static func make() {
        shelf = (0..<200).map(PlainNote.init)
        PlainProgram.leakCycles()
        wait(with: binder())
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
