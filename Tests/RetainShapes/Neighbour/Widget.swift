public import LifetimeTracer

/// A superclass for classes of other modules.
open class Widget: TracedObject, @unchecked Sendable {
    // Unchecked, as the shapes are planted one at a time on one thread.
    private var title = "widget"
    private var bounds = (0.0, 0.0, 1.0, 1.0)
    /// What it shows.
    public final var content: Widget?
    /// Called when it is tapped.
    public final var onTap: (@Sendable () -> Void)?

    /// Creates an empty widget.
    public init() { super.init() }

    /// Counts as a use.
    public final func tap() { title += "!" }
}

/// A generic superclass for classes of other modules.
open class Container<Content>: @unchecked Sendable {
    // Unchecked, as the shapes are planted one at a time on one thread.
    private let capacity = 8
    /// What is in it.
    public final var contents: [Content] = []

    /// Creates an empty container.
    public init() {}
}

/// Where another module keeps things.
@MainActor public enum Shelf {
    /// The things.
    public static var things: [Widget] = []
    private static var hidden: Widget?

    /// Keeps a thing where nobody else can name it.
    public static func hide(_ thing: Widget?) { hidden = thing }
}

/// Something that can be shown.
public protocol Showable {
    /// Shows it.
    func show()
}

/// A wrapper whose type only this module knows.
struct Frame<Content: AnyObject>: Showable {
    let margin = 4
    let content: Content

    func show() {}
}

/// Frames something; the caller does not learn the type.
public func framed(_ content: some AnyObject) -> some Showable { Frame(content: content) }

/// A closure that is made here, of a value of the caller's type.
public func keeper<Value, Extra: Collection>(
    of value: Value, with extra: Extra
) -> () -> (Value, Extra.Element?) {
    { (value, extra.first) }
}
