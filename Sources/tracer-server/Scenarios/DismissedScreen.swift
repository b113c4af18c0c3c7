import LifetimeTracer
import LifetimeTracerDashboard

extension Scenario {
    /// A screen that becomes overdue after its dismissal.
    static let dismissedScreen = Scenario(
        name: "dismissed-screen",
        title: "A screen that outlives its dismissal",
        story: """
            A list of recent notes, a singleton, keeps the screens that showed them: the navigation around such a screen is \
            dismissed, and the screen stays. A draft that is being saved holds its screen a little too long, which is late and \
            not leaked, and a cached tab is kept on purpose, which is neither.
            """,
        forms: [
            ScenarioInfo.Form(
                form: .leaking, summary: "The list keeps screens, and the task that saves captures self.",
                expects: [
                    "1 NoteScreen overdue: dismissed",
                    "1 DraftScreen late: removed from its parent",
                    "no verdict on TabScreen: exempt while it is cached",
                ],
                code: """
                    override func didAppear() {
                        RecentNotes.screens.append(self)
                    }
                    """),
            ScenarioInfo.Form(
                form: .mended, summary: "The list keeps titles, and the task that saves captures the text alone.",
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
        stage.note("presented \(noteName) in a navigation of its own")
        window.dismiss()
        stage.note("dismissed that navigation: \(note == nil ? "the screen went with it" : "the screen stays")")

        window.push(form == .leaking ? DraftScreen() : MendedDraftScreen())
        weak var draft = window.top
        let draftName = form == .leaking ? "DraftScreen" : "MendedDraftScreen"
        window.pop()
        stage.note("pushed and popped \(draftName), which began to save as it left")

        await stage.waitForVerdicts()
        let draftIsLate = draft != nil
        _ = await stage.comesTrue(within: .seconds(2)) { draft == nil }
        stage.note("\(draftName) went \(draftIsLate ? "late, when it was saved" : "in time")")
        stage.note("\(noteName) is \(note == nil ? "gone" : "still live")")
        stage.note("TabScreen is \(tab.isInTree ? "back" : "still cached"): \(exemption), no verdict")
    }

    private static let exemption = "a cached tab, kept to come back quickly"

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
        stage.note("TabScreen left, came back and left again: exempt, \(exemption)")
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
