extension HeapGraph {
    /// One line of a census: blocks of the same type.
    public struct Line: Sendable, Hashable {
        /// What the blocks of a line are.
        public enum Kind: String, Sendable, CaseIterable {
            /// Instances of a class.
            case instance = "class"
            /// Instances of an actor.
            case actor
            /// The elements of an array, a set, a dictionary or a long string.
            case storage
            /// The captures of a closure, or one of C's blocks.
            case closure
            /// A captured variable, a large value in an existential, a payload of an indirect enum, or an error.
            case box
            /// Tasks, and the memory of their functions.
            case task
            /// Objects of Dispatch.
            case dispatch
            /// Objects of Foundation.
            case foundation
            /// Memory that Swift's runtime has allocated for itself.
            case runtime
            /// Memory of the tracer; under `tracer-server run` also the objects that only the tracer keeps.
            case tracer
            /// Memory of C, and memory of an unknown purpose.
            case unknown
            /// Free blocks that malloc keeps for the next requests.
            case free
            /// Memory that malloc needs for itself.
            case allocator
            /// Blocks that were counted but not examined, because a list of them would exceed the memory limit.
            case leftOut
        }

        /// What the blocks are.
        public let kind: Kind
        /// The name for users: `Screen`, `Array<Screen>`, `closure #1 in Screen.bind()`, `C and unknown`.
        public let name: String
        /// The type with its module, or the module and the function of a closure; empty if there is none.
        public let type: String
        /// Whether the type, one of its generic arguments or the closure's function is in a module of the program.
        ///
        /// All other modules are those of the toolchain, of well-known packages, and
        /// ``RetainPaths/Options/libraryModules``.
        public let isOfProgram: Bool
        /// The number of blocks.
        public internal(set) var count: Int
        /// The bytes of the blocks, with malloc's header of each block.
        public internal(set) var bytes: Int
        /// The bytes that would be freed with all blocks of the line: their own, and those of everything that only they
        /// hold; `nil` if ``HeapGraph/retained`` has an obstacle.
        ///
        /// Blocks that no root reaches retain nothing. A block that another block of the line retains counts once.
        public internal(set) var retained: Int?

        /// Creates a line.
        package init(
            kind: Kind, name: String, type: String = "", isOfProgram: Bool = false, count: Int = 0, bytes: Int = 0,
            retained: Int? = nil
        ) {
            self.kind = kind
            self.name = name
            self.type = type
            self.isOfProgram = isOfProgram
            self.count = count
            self.bytes = bytes
            self.retained = retained
        }
    }
}
