package import LifetimeTracer

/// The object that leaks in most shapes.
///
/// `@unchecked Sendable` is safe because the shapes are planted one at a time on one thread. Code that holds a screen
/// on another thread never runs.
package class Screen: TracedObject, @unchecked Sendable {
    package final var title = "screen"
    package final var taps = 0
    package final var onDone: (() -> Void)?
    package final var next: Screen?
    package final var children: [Screen] = []

    /// A use of the screen, for closures that capture it.
    @inline(never)
    package final func tap() { taps += 1 }
}

/// A screen with its own type, so that its path can be told from other paths.
package final class DetailScreen: Screen, @unchecked Sendable {
    package let identifier = 7
}

extension Screen: Hashable {
    package static func == (left: Screen, right: Screen) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
