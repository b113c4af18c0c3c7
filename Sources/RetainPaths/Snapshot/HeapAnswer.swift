/// What the search in a copy of the process found, with addresses instead of names.
struct HeapAnswer: Sendable {
    /// One for each target, in order.
    var findings: [Finding] = []
    /// What the search cost.
    var cost = RetainCost()
    /// The names of the threads on whose stacks roots were found.
    var threads: [Int: String] = [:]

    /// What was found of one target.
    struct Finding: Sendable {
        enum Status: Sendable { case reachable, cycle, leakedByCycle, noRootFound, notFound, deinitializing }

        var status: Status
        @HiddenAddress var address: UInt
        @HiddenAddress var metadata: UInt
        var strongCount: Int
        var unownedCount: Int
        var weakCount: Int
        /// Strong references found; how many of them a layout vouches for; how many come from roots.
        var found: Int
        var precise: Int
        var fromRoots: Int
        /// The index of the other target through which alone this one is held.
        var culprit: Int?
        var steps: [Step]
        var cycle: ClosedRange<Int>?
        var holders: [Step]
        /// Of its block, in bytes.
        var size = 0

        /// Whether it may be the copy's fault: nobody holds it, or more do than there are references.
        ///
        /// One part of the process may have been copied before a thread changed what another part says.
        var isDoubtful: Bool { status == .noRootFound || precise > strongCount }
    }

    /// A node, and the edge that leads from it to the next.
    struct Step: Sendable, Hashable {
        enum Node: Sendable, Hashable {
            case rootData, rootThreadLocal, rootAnonymous
            case rootStack(thread: Int)
            /// The task that asks, and one that waits for it.
            case rootTask, rootWaitingTask
            case object, closure, genericBox, errorBox, task, block, staticObject
        }

        enum Edge: Sendable, Hashable { case strong, function, existentialBox, raw, conservative }

        /// What a dictionary's key is.
        enum Key: Sendable, Hashable {
            /// The text, cut at 64 bytes.
            case string(String)
            case signed(Int64)
            case unsigned(UInt64)
        }

        var node: Node
        /// Of the root's word, or of the object or block.
        @HiddenAddress var address: UInt
        /// 0 for roots; of a block its first word, which may be an address.
        @HiddenAddress var metadata: UInt
        var size: Int
        /// `nil` at the end of a path that is no cycle.
        var edge: Edge?
        var isPrecise: Bool
        /// The property, with those of inlined structs and tuples: "subs", "pair.1"; empty where there is none.
        var name: String
        /// The property that holds the existential or enum in which `name` lies, or empty.
        var outerName: String
        /// In an array, the index; in a dictionary or set, the bucket.
        var index: Int?
        var key: Key?
        /// Whether the edge is in a dictionary's key rather than its value.
        var isInKey: Bool
        /// The function beside the context, or 0.
        var code: UInt
        /// Of the edge's word in the object.
        var offset: Int
        /// For holders: whether a root reaches it.
        var isReached: Bool
        /// Of a variable: more seem to hold the object than it has references.
        var isContested = false
        /// Of a closure's context that the step before tells no function of: its function, or 0.
        var ownCode: UInt = 0
    }
}
