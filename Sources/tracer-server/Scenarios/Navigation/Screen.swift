import LifetimeTracer

/// A screen of the demo's programs.
///
/// A screen displays nothing, but has the lifetime of a real screen.
@MainActor
class Screen: TracedNode {
    /// Called after the screen has come into view.
    func didAppear() {}

    /// Called after the screen has left the stack.
    func didLeave() {}
}
