/// A superclass of a library with a stable interface, whose properties other modules do not know.
open class Panel {
    private var title = "panel"

    /// Creates a panel.
    public init() {}

    /// Returns the title.
    public func describe() -> String { title }
}
