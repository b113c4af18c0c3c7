/// The result of the search in a frozen copy, with addresses instead of names.
struct HeapAnswer: Sendable {
    /// One finding for each target, in order.
    var findings: [Finding] = []
    /// The cost of the search.
    var cost = RetainCost()
    /// The names of the threads on whose stacks the search found roots.
    var threads: [Int: String] = [:]
    /// The numbers of all threads of the copied process, in the order in which the copy knows them.
    var threadNumbers: [Int32] = []
    /// The number of blocks of ``HeapQuestion/lines``, of which the findings are a sample.
    var blocksOfLines = 0

    /// The result for one target.
    struct Finding: Sendable {
        /// `notExamined` is the status of targets that were left out of a sample.
        enum Status: Sendable {
            case reachable, cycle, leakedByCycle, noRootFound, notFound, deinitializing, notExamined
        }

        var status: Status
        @HiddenAddress var address: UInt
        @HiddenAddress var metadata: UInt
        var strongCount: Int
        var unownedCount: Int
        var weakCount: Int
        /// `found` is the number of strong references found, `precise` the number of those that a layout confirms, and
        /// `fromRoots` the number of those that roots hold directly.
        var found: Int
        var precise: Int
        var fromRoots: Int
        /// The index of the other target through which alone this target is held.
        var culprit: Int?
        var steps: [Step]
        var cycle: ClosedRange<Int>?
        /// The step in front of which steps of a very long path were left out.
        var gap: Int?
        var holders: [Step]
        /// The size of the target's block in bytes.
        var size = 0

        /// Whether the finding may be an artefact of copying: no holder was found, or more holders than references.
        ///
        /// Another thread may have changed the heap while the kernel copied it, so that two parts of the copy disagree.
        var isDoubtful: Bool { status == .noRootFound || precise > strongCount }
    }

    /// A node, and the edge that leads from it to the next node.
    struct Step: Sendable, Hashable {
        enum Node: Sendable, Hashable {
            case rootData, rootAnonymous
            /// The number of the thread is 0 if the thread is unknown.
            case rootStack(thread: Int)
            case rootThreadLocal(thread: Int)
            /// `rootTask` is a task that requests the search, `rootWaitingTask` a task that awaits such a task.
            case rootTask, rootWaitingTask
            case object, closure, genericBox, errorBox, task, block, staticObject

            /// The number of the thread to which a root belongs.
            var thread: Int? {
                switch self {
                case .rootStack(let thread), .rootThreadLocal(let thread): thread == 0 ? nil : thread
                default: nil
                }
            }
        }

        enum Edge: Sendable, Hashable { case strong, function, existentialBox, raw, conservative }

        /// A dictionary's key.
        enum Key: Sendable, Hashable {
            /// The text, truncated to 64 bytes.
            case string(String)
            case signed(Int64)
            case unsigned(UInt64)
        }

        /// The name of a property or of an enum's case.
        struct Name: Sendable, Hashable {
            /// The name, including the properties of inlined structs and tuples: "subs", "pair.1".
            var text: String
            /// Whether it is that of a case.
            var isCase = false
        }

        var node: Node
        /// The address of the root's word, or of the object or block.
        @HiddenAddress var address: UInt
        /// The object's metadata, or the first word of a block, which may be an address; 0 for roots.
        @HiddenAddress var metadata: UInt
        var size: Int
        /// `nil` at the end of a path that is not a cycle.
        var edge: Edge?
        var isPrecise: Bool
        /// The properties and cases through which the node holds the next one, the outermost first.
        var names: [Name]
        /// The index in an array, or the bucket in a dictionary or set.
        var index: Int?
        var key: Key?
        /// Whether the edge is in a dictionary's key rather than in its value.
        var isInKey: Bool
        /// Whether the reference is the value in an existential that may contain other values than references.
        var isInExistential = false
        /// The elements that the step's slice shows of the next step's storage; `nil` if the step holds it otherwise.
        var slice: Range<Int>?
        /// The function stored beside the context, or 0.
        var code: UInt
        /// The offset of the edge's word in the object.
        var offset: Int
        /// Whether a root reaches the holder.
        ///
        /// Set for holders only.
        var isReached: Bool
        /// Whether the variable may point to the object without holding it.
        ///
        /// Set for variables only. The reasons are: more references to the object were found than it has, fewer unowned
        /// references were found than it has, or the reference is an `Unmanaged`.
        var isContested = false
        /// The function of a closure's context, if the step before does not name it; else 0.
        var ownCode: UInt = 0
        /// The functions in whose frames a task or a stack holds the next step, the frame's own function first.
        ///
        /// Set for tasks, for the memory of a task that is not on the path, and for roots on stacks. For these, they
        /// are the addresses to which calls return.
        var functions: [UInt] = []
        /// Whether a stack holds the next step in the frame of a function that the first of `functions` has called.
        var isInCallee = false
        /// Whether the next step is a task that awaits this one, as its parent or because it wants its result.
        var isAwaited = false
        /// Whether a register of the thread holds the next step instead of the stack.
        var isInRegister = false
        /// Whether a task holds the next step in a task-local value.
        ///
        /// `functions` then contains the address of the variable with the value's key, or of the key, or 0; and the
        /// function that the task runs, if it is known.
        var isTaskLocal = false
        /// What holds the step, the outermost first.
        ///
        /// Set for holders that are the storage of a collection or the context of a closure.
        var owners: [Step] = []
    }
}
