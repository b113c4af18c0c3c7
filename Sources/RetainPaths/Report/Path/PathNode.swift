import LifetimeTracer

/// A node of a path with its name, and the facts that the choice of the suspect, the hints and the fingerprint need.
struct PathNode: Hashable {
    /// The role of the node on the path to the instance.
    enum Role: Hashable {
        case root
        /// An object that owns other objects for a purpose of its own.
        case object
        /// An object of a library whose only purpose is to hold another object, such as a lock's value.
        case plumbing
        /// The elements of an array, a dictionary or a set.
        case storage
        /// A closure in source code.
        case closure
        /// A closure that only calls another one.
        ///
        /// The compiler or a library made it.
        case thunk
        /// The box of a captured variable, of an existential's value or of an error.
        case box
        case task
        case block(BlockName.Kind)
        /// The omitted part of a very long path.
        case gap
    }

    /// Why a property cannot be weak.
    enum ObstacleToWeakness: Hashable {
        /// The property's type is a protocol, or `Any`, of which not only objects can be values.
        case existential
        /// The reference is in a case of an enum.
        case enumeration
        /// The reference is an element of a tuple.
        case tuple
    }

    var role: Role
    /// The address of the object or block, or of the root's word.
    ///
    /// A node for a closure without a context has the address of the object that it holds.
    @HiddenAddress var address: UInt
    /// The name as it appears in source code.
    var name: String
    /// The type with its module, for objects and storage; else empty.
    var type = ""
    /// The module of a root's variable; empty if it is not known.
    var variableModule = ""
    /// The properties through which the node holds the next, with a dot before each; empty if there is none.
    ///
    /// If the node holds a value of an enum itself, as the element of a collection does, this begins with the case.
    var members = ""
    /// The same with the cases of the enums in which the properties lie: `.state.loaded.page` for `.state.page`.
    var shownMembers = ""
    /// The element through which the node holds the next: `[2]`, `["userDidLogIn"]`; empty if the node is not a
    /// collection.
    var element = ""
    /// Why the property that holds the next node cannot be weak; `nil` if it can, or has no name.
    var obstacleToWeakness: ObstacleToWeakness?
    /// Whether the element lies outside the bounds of the slice through which the path reaches the collection.
    var isOutsideSlice = false
    /// The name of the closure; `nil` for other nodes.
    var closure: ClosureName?
    /// Whether the closure's context is at the address.
    ///
    /// Otherwise a captured object is the context.
    var hasContext = false
    /// For a task or the memory of a task, the function in whose variable it holds the next node.
    ///
    /// `nil` if that is not known.
    var function: String?
    /// Whether the node is the state of a Dispatch source that is a timer.
    var isTimer = false
    /// Whether the block is the state of a delayed call of Dispatch, which is a timer, too.
    var isDelayedCall = false
    /// Whether the node is a variable with a name that users know.
    var isNamedVariable = false
    /// For a task that awaits a continuation, the function that made the continuation.
    var awaitedContinuation: String?
    /// Whether the program made that continuation and must resume it, because cancelling the task does not.
    var awaitsResumption = false
    /// Whether the node is a task that was cancelled.
    var isCancelled = false
    /// Whether the program made that continuation, and one of its functions handles the task's cancellation.
    var handlesCancellation = false
    /// Whether the node keeps a pointer to C memory or to a task, which for a task is its job in an executor's queue.
    var keepsPointer = false
    /// Whether the node is a task that the next node, a task, awaits.
    var isAwaited = false
    /// Whether the node is a task that holds the next node as its result or its error.
    var hasEnded = false
    var kind: RetainStep.Kind
    /// Whether the layout confirms the reference to the next node.
    var isCertain = true
    /// Whether a root reaches the node.
    ///
    /// Set for holders.
    var isReached = false

    /// The name of a task without its function.
    static let task = "Task"

    /// Whether the short form omits the node.
    var isFolded: Bool {
        switch role {
        case .plumbing, .storage, .thunk, .box, .block(.memory): true
        // The memory stands for its task if that is not on the path.
        case .block(.taskMemory): kind != .task
        case .root, .object, .closure, .task, .block, .gap: false
        }
    }

    /// Whether the node holds the next node as an element, as an array or a `ManagedBuffer` does.
    var holdsElement: Bool {
        role == .storage || role == .object && !element.isEmpty
    }

    /// The module of an object's type or of a root's variable; empty if it is not known.
    var module: String {
        if role == .root { return variableModule }
        let mark = "(extension in "
        guard type.hasPrefix(mark) else { return String(type.prefix { $0 != "." }) }
        return String(type.dropFirst(mark.count).prefix { $0 != ")" })
    }

    /// The type without module and generic arguments; empty for nodes without a type.
    var bareType: String {
        ShortTypeName.withoutGenerics(ShortTypeName.withoutModules(type))
    }
}
