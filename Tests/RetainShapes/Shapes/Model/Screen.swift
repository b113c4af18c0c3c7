package import LifetimeTracer

/// What leaks in most shapes.
///
/// `@unchecked Sendable` is safe because the shapes are planted one at a time on one thread, and what holds a screen
/// elsewhere never runs.
package class Screen: TracedObject, @unchecked Sendable {
    package final var title = "screen"
    package final var taps = 0
    package final var onDone: (() -> Void)?
    package final var next: Screen?
    package final var children: [Screen] = []

    /// Something to do for a closure that captures it.
    @inline(never)
    package final func tap() { taps += 1 }
}

/// A screen of a type of its own, so that a path can be told from others.
package final class DetailScreen: Screen, @unchecked Sendable {
    package let identifier = 7
}

extension Screen: Hashable {
    package static func == (left: Screen, right: Screen) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
