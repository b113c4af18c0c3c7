import LifetimeTracer

/// A stack of screens, the last one on top; itself a screen, so that it can be presented.
final class NavigationStack: Screen {
    /// Called with a screen that was popped in whatever way.
    ///
    /// Does nothing in a program that only hears of its own buttons.
    var didPop: (Screen) -> Void = { _ in }

    /// The screen on top.
    var top: Screen? { children.last as? Screen }

    /// Puts a screen on top.
    func push(_ screen: Screen) {
        addChild(screen)
        screen.didAppear()
    }

    /// Takes the screen on top away; from now on it should be gone within the registry's leaving delay.
    func pop() {
        guard let screen = top else { return }
        screen.removeFromParent()
        screen.didLeave()
        didPop(screen)
    }

    /// What a swipe from the left edge does: a pop that no button was pressed for.
    func swipeBack() {
        pop()
    }
}
