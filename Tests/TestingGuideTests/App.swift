import LifetimeTracer

/// The app's classes in the guide's short examples.
final class LoginFlow: TracedObject {
    /// Shows the first screen, with what the app keeps for all of its screens.
    func start() { _ = (ImageCache.shared, Theme.current) }
    func end() {}
}

final class ImageCache: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the class has no state.
    static let shared = ImageCache()
}

final class Theme: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the class has no state.
    static let current = Theme()
}

final class Screen: TracedObject {}

final class Navigation {
    private(set) var top: Screen?

    func push(_ screen: Screen) { top = screen }
    func pop() { top = nil }
}

/// Creates an object wherever it is filled.
struct ThumbnailCache: Sendable {
    func fill() { withExtendedLifetime(Screen()) {} }
}
