import LifetimeTracer

/// A node of a path with its name, and what it is to those who judge the path.
struct PathNode: Hashable {
    /// What the node is on the way to the instance.
    enum Role: Hashable {
        case root
        /// An object that somebody's program made, to own something.
        case object
        /// An object inside a library whose only purpose is to hold another, such as a lock's value.
        case plumbing
        /// The elements of an array, a dictionary or a set.
        case storage
        /// A closure that somebody wrote.
        case closure
        /// A closure that only calls another, made by a compiler or part of a library.
        case thunk
        /// A variable that a closure captures, the value of an existential, an error.
        case box
        case task
        case block(BlockName.Kind)
        /// What of a very long path was left out.
        case gap
    }

    var role: Role
    /// Of the object or block, or of the root's word; the same for a node inserted for a closure without a context and
    /// what it holds.
    @HiddenAddress var address: UInt
    /// As a person names it.
    var name: String
    /// The type with its module, of objects and storage; else empty.
    var type = ""
    /// The module of a root's variable; empty where it is not known.
    var variableModule = ""
    /// The properties through which it holds the next, with a dot before each; empty where there is none.
    var members = ""
    /// The element through which it holds the next: `[2]`, `["userDidLogIn"]`; empty for what is no collection.
    var element = ""
    /// The closure, if it is one.
    var closure: ClosureName?
    /// Whether the closure's context is at the address, rather than an object that stands for it.
    var hasContext = false
    /// Of a task that waits for a continuation: the function that has made it.
    var awaitedContinuation: String?
    var kind: RetainStep.Kind
    /// Whether the reference to the next is certain by the layout.
    var isCertain = true
    /// Whether a root reaches it, for holders.
    var isReached = false

    /// Whether the short form leaves it out.
    var isFolded: Bool {
        switch role {
        case .plumbing, .storage, .thunk, .box, .block(.memory), .block(.taskMemory): true
        case .root, .object, .closure, .task, .block, .gap: false
        }
    }

    /// The module that the type of an object or the variable of a root is written in; empty where it is not known.
    var module: String {
        if role == .root { return variableModule }
        let mark = "(extension in "
        guard type.hasPrefix(mark) else { return String(type.prefix { $0 != "." }) }
        return String(type.dropFirst(mark.count).prefix { $0 != ")" })
    }

    /// The type without module and generic arguments; empty for what has none.
    var bareType: String {
        ShortTypeName.withoutGenerics(ShortTypeName.withoutModules(type))
    }
}
