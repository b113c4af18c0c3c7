import LifetimeTracer
import LifetimeTracerDashboard

extension Scenario {
    /// A screen that becomes overdue after its dismissal.
    static let dismissedScreen = Scenario(
        name: "dismissed-screen",
        title: "A screen that outlives its dismissal",
        story: """
            A list of recent notes, which is a singleton, keeps the screens that showed the notes: when the navigation \
            around a screen is dismissed, the screen stays live. A draft screen lives until its draft is saved, so the \
            screen is late but does not leak, and a cached tab is kept on purpose, so the tab has no verdict.
            """,
        forms: [
            ScenarioInfo.Form(
                form: .leaking, summary: "The list keeps screens, and the task that saves the draft captures self.",
                expects: [
                    "1 NoteScreen overdue: dismissed",
                    "1 DraftScreen late: removed from its parent",
                    "no verdict on TabScreen: exempt while cached",
                ],
                code: """
                    override func didAppear() {
                        RecentNotes.screens.append(self)
                    }
                    """),
            ScenarioInfo.Form(
                form: .mended,
                summary: "The list keeps titles, and the task that saves the draft captures only the text.",
                expects: ["no MendedNoteScreen, MendedDraftScreen or TabScreen live", "no verdict"],
                code: """
                    override func didAppear() {
                        RecentNotes.titles =
                            RecentNotes.titles
                            .suffix(RecentNotes.limit - 1) + [title]
                    }
                    """),
        ]
    ) { form, stage in
        let window = NavigationStack()
        let tab = cachedTab(in: window, stage)

        presentNote(form, over: window)
        weak var note = (window.presented as? NavigationStack)?.top
        let noteName = form == .leaking ? "NoteScreen" : "MendedNoteScreen"
        stage.note("presented \(noteName) in its own navigation")
        window.dismiss()
        stage.note("dismissed the navigation: the screen is \(note == nil ? "deallocated" : "still live")")

        window.push(form == .leaking ? DraftScreen() : MendedDraftScreen())
        weak var draft = window.top
        let draftName = form == .leaking ? "DraftScreen" : "MendedDraftScreen"
        window.pop()
        stage.note("pushed and popped \(draftName), which started to save its draft")

        await stage.waitForVerdicts()
        let draftIsLate = draft != nil
        _ = await stage.comesTrue(within: .seconds(2)) { draft == nil }
        stage.note("\(draftName) was deallocated \(draftIsLate ? "late, after saving" : "in time")")
        stage.note("\(noteName) is \(note == nil ? "deallocated" : "still live")")
        stage.note("TabScreen is \(tab.isInTree ? "visible again" : "still cached") and has no verdict: \(exemption)")
    }

    private static let exemption = "a cached tab, kept to reappear quickly"

    /// Shows and removes a tab twice.
    ///
    /// The tab is exempt from the leaving deadline and kept in memory.
    @MainActor
    private static func cachedTab(in window: NavigationStack, _ stage: Stage) -> TabScreen {
        let tab = TabScreen()
        tab.exemptFromLeavingDeadline(because: exemption)
        window.push(tab)
        window.pop()
        window.push(tab)
        window.pop()
        stage.note("pushed and popped TabScreen twice; TabScreen is exempt: \(exemption)")
        return tab
    }

    @MainActor
    private static func presentNote(_ form: ScenarioForm, over window: NavigationStack) {
        let navigation = NavigationStack()
        window.present(navigation)
        navigation.push(form == .leaking ? NoteScreen() : MendedNoteScreen())
    }
}

/// The recently shown notes, a singleton.
@MainActor
private enum RecentNotes {
    /// The screens, which must not be kept.
    static var screens: [NoteScreen] = []
    /// The titles, which suffice.
    static var titles: [String] = []

    static let limit = 20
}

/// A screen that shows a note, and leaks.
@MainActor
private class NoteScreen: Screen {
    let title = "Shopping"

    override func didAppear() {
        RecentNotes.screens.append(self)
    }
}

/// The mended note screen, which leaves only its title in the list.
private final class MendedNoteScreen: NoteScreen {
    override func didAppear() {
        RecentNotes.titles = RecentNotes.titles.suffix(RecentNotes.limit - 1) + [title]
    }
}

/// A screen that saves its draft when it leaves.
///
/// Saving takes longer than the leaving delay, so the screen is late.
@MainActor
private class DraftScreen: Screen {
    fileprivate var text = "Dear"
    fileprivate static let savingTakes = Duration.milliseconds(1700)

    override func didLeave() {
        Task {
            try? await Task.sleep(for: Self.savingTakes)
            self.text = ""
        }
    }
}

/// The mended draft screen: the task that saves the text does not hold the screen.
private final class MendedDraftScreen: DraftScreen {
    override func didLeave() {
        Task { [text] in
            try? await Task.sleep(for: Self.savingTakes)
            _ = text
        }
    }
}

/// A tab that is kept while another tab is shown.
private final class TabScreen: Screen {
    var isInTree: Bool { parent != nil }
}
