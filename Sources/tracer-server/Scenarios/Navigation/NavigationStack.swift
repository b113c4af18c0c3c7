import LifetimeTracer

/// A stack of screens with the last one on top.
///
/// The stack is itself a screen, so that another screen can present the stack.
final class NavigationStack: Screen {
    /// Called with each popped screen, however it was popped.
    ///
    /// Does nothing by default, as in a program that is notified only of its own buttons.
    var didPop: (Screen) -> Void = { _ in }

    /// The screen on top.
    var top: Screen? { children.last as? Screen }

    /// Puts a screen on top.
    func push(_ screen: Screen) {
        addChild(screen)
        screen.didAppear()
    }

    /// Removes the screen on top.
    ///
    /// The screen must be gone within the registry's leaving delay.
    func pop() {
        guard let screen = top else { return }
        screen.removeFromParent()
        screen.didLeave()
        didPop(screen)
    }

    /// Simulates a swipe from the left edge: a pop without a button.
    func swipeBack() {
        pop()
    }
}
