import LifetimeTracer

/// The notes that were looked at last.
@MainActor
public final class RecentNotes {
    /// The one of the app.
    public static let shared = RecentNotes()

    fileprivate var screens: [NoteScreen] = []
    fileprivate var titles: [String] = []
}

/// Shows a note, and leaks: it never leaves the list.
@MainActor
public final class NoteScreen: TracedObject {
    /// Adds itself to the list.
    public func appear() {
        RecentNotes.shared.screens.append(self)
    }
}

/// The same screen, which leaves no more than its title behind.
@MainActor
public final class MendedNoteScreen: TracedObject {
    /// Adds its title to the list.
    public func appear() {
        RecentNotes.shared.titles.append("Shopping")
    }
}
