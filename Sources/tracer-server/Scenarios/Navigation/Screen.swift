import LifetimeTracer

/// A screen of the demo's programs: nothing to see, but a life like that of any screen.
///
/// `@unchecked Sendable` is safe because screens, and the tree that they form, are only touched on the main actor; closures
/// that are called elsewhere hop there first.
@MainActor
class Screen: TracedNode, @unchecked Sendable {
    /// Called when the screen has come into view.
    func didAppear() {}

    /// Called when the screen is out of the stack.
    func didLeave() {}
}
