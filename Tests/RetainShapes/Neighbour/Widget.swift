public import LifetimeTracer

/// A superclass for classes in other modules.
open class Widget: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the shapes are planted one at a time on one thread.
    private var title = "widget"
    private var bounds = (0.0, 0.0, 1.0, 1.0)
    /// The content that the widget shows.
    public final var content: Widget?
    /// Called when the widget is tapped.
    public final var onTap: (@Sendable () -> Void)?

    /// Creates an empty widget.
    public init() { super.init() }

    /// Simulates a use of the widget.
    public final func tap() { title += "!" }
}

/// A generic superclass for classes in other modules.
open class Container<Content>: @unchecked Sendable {
    // `@unchecked Sendable` is safe because the shapes are planted one at a time on one thread.
    private let capacity = 8
    /// The contents of the container.
    public final var contents: [Content] = []

    /// Creates an empty container.
    public init() {}
}

/// Variables of another module.
@MainActor public enum Shelf {
    /// A public variable with widgets.
    public static var things: [Widget] = []
    private static var hidden: Widget?

    /// Stores a widget in a private variable of this module.
    public static func hide(_ thing: Widget?) { hidden = thing }
}

/// Something that can be shown.
public protocol Showable {
    /// Shows the value.
    func show()
}

/// A wrapper whose type is internal to this module.
struct Frame<Content: AnyObject>: Showable {
    let margin = 4
    let content: Content

    func show() {}
}

/// Wraps an object in a value of an opaque type.
public func framed(_ content: some AnyObject) -> some Showable { Frame(content: content) }

/// Returns a closure of this module that captures a value of the caller's type.
public func keeper<Value, Extra: Collection>(
    of value: Value, with extra: Extra
) -> () -> (Value, Extra.Element?) {
    { (value, extra.first) }
}
