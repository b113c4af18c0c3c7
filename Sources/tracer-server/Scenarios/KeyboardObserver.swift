import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerFoundation

extension Scenario {
    /// Typed notification observers with tokens.
    static let keyboardObserver = Scenario(
        name: "keyboard-observer",
        title: "Notification observers that capture self",
        story: """
            A text screen observes the keyboard with closures that capture self: the notification centre holds the \
            closures, the closures hold the screen, and the screen holds the tokens that would remove the closures. \
            After the pop, nothing is deallocated, and each notification still moves the invisible screen.
            """,
        forms: [
            ScenarioInfo.Form(
                form: .leaking, summary: "The closures capture self.",
                expects: [
                    "1 TextScreen overdue: removed from its parent",
                    "2 tokens still in force: keyboardWillShow and keyboardWillHide",
                ],
                code: """
                    Keyboard.center.addObserver(
                        with: Keyboard.willShow,
                        owner: self,
                        onMainActor: { self.makeRoom(for: $0) })
                    """),
            ScenarioInfo.Form(
                form: .mended, summary: "The closures capture self weakly.",
                expects: ["no MendedTextScreen live", "2 observers removed, none in force"],
                code: """
                    Keyboard.center.addObserver(
                        with: Keyboard.willShow,
                        owner: self,
                        onMainActor: { [weak self] in
                            self?.makeRoom(for: $0) })
                    """),
        ]
    ) { form, stage in
        let navigation = NavigationStack()
        navigation.push(form == .leaking ? TextScreen() : MendedTextScreen())
        weak var screen = navigation.top as? TextScreen
        let tokens = screen?.tokenIDs ?? []
        let name = form == .leaking ? "TextScreen" : "MendedTextScreen"
        stage.note("pushed \(name): \(stage.inForce(tokens).of("token")) in force")

        Keyboard.showAndHide()
        stage.note("keyboard shown and hidden: the screen moved \((screen?.moves ?? 0).of("time"))")

        navigation.pop()
        stage.note("popped \(name): \((tokens.count - stage.inForce(tokens)).of("observer")) removed")

        Keyboard.showAndHide()
        if let moves = screen?.moves {
            stage.note("keyboard shown and hidden: the invisible screen moved again, \(moves.of("time")) in total")
        } else {
            stage.note("keyboard shown and hidden: no screen moved")
        }

        await stage.waitForVerdicts()
        let fate = screen == nil ? "deallocated" : "still live"
        stage.note("\(name) is \(fate), \(stage.inForce(tokens).of("token")) in force")
    }
}

/// A screen with a text field that makes room for the keyboard.
///
/// The screen leaks.
@MainActor
private class TextScreen: Screen {
    /// The number of keyboard notifications that the screen has handled.
    private(set) var moves = 0
    fileprivate var tokens: [ObserverToken] = []
    private var bottomInset = 0.0

    fileprivate var tokenIDs: Set<TokenID> { Set(tokens.map(\.id)) }

    override func didAppear() {
        tokens = [
            Keyboard.center.addObserver(
                with: Keyboard.willShow, owner: self, onMainActor: { self.makeRoom(for: $0) }),
            Keyboard.center.addObserver(
                with: Keyboard.willHide, owner: self, onMainActor: { self.makeRoom(for: $0) }),
        ]
    }

    fileprivate func makeRoom(for frames: KeyboardFrames) {
        bottomInset = frames.end.height
        moves += 1
    }
}

/// The mended text screen, which the notification centre does not hold.
private final class MendedTextScreen: TextScreen {
    override func didAppear() {
        tokens = [
            Keyboard.center.addObserver(
                with: Keyboard.willShow, owner: self, onMainActor: { [weak self] in self?.makeRoom(for: $0) }
            ),
            Keyboard.center.addObserver(
                with: Keyboard.willHide, owner: self, onMainActor: { [weak self] in self?.makeRoom(for: $0) }
            ),
        ]
    }
}
