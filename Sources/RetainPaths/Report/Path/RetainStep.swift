/// One node of a path, and its reference to the next node.
public struct RetainStep: Sendable, Hashable {
    /// The kind of a node.
    public enum Kind: String, Sendable, CaseIterable {
        /// A global or static variable.
        case global
        /// A variable of a thread.
        case threadLocal
        /// The stack of a thread.
        case stack
        /// Memory that is neither malloc's nor of a known kind.
        case otherMemory
        /// An object of a class.
        case object
        /// The captures of a closure.
        case closure
        /// A value in a box, such as a captured variable or an error.
        case box
        /// A Swift task.
        case task
        /// Memory of malloc without a type, such as that of a C library.
        case block
    }

    /// The kind of the node.
    public let kind: Kind
    /// The name of the type, variable, closure or thread, as it appears in source code.
    public let name: String
    /// The property, element or capture that holds the next node: ".subs[2].1", "captures DetailScreen strongly"; empty
    /// at the end.
    public let through: String
    /// Whether the type's layout confirms the reference.
    ///
    /// Otherwise it is a word that looks like a reference.
    public let isCertain: Bool
    /// Whether the short form omits the node, such as the storage of a collection, a thunk or a box.
    public let isFolded: Bool
}
