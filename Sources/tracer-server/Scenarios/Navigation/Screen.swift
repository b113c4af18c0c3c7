import LifetimeTracer

/// A screen of the demo's programs: nothing to see, but a life like that of any screen.
@MainActor
class Screen: TracedNode {
    /// Called when the screen has come into view.
    func didAppear() {}

    /// Called when the screen is out of the stack.
    func didLeave() {}
}
