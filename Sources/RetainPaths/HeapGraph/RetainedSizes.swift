extension HeapGraph {
    /// The dominator tree of the objects that roots reach, by type: what each root keeps, and what those objects keep.
    ///
    /// An object *dominates* another one if every path from a root to the other one leads through it. It *retains* its
    /// own bytes and those of all objects that it dominates: the memory that would be freed with it.
    public struct RetainedSizes: Sendable {
        /// Root, or objects and other blocks of the same type that the same group holds alone.
        ///
        /// Below a group of a type, further objects of the type belong to the same group, so that a list or a tree of
        /// objects is one group.
        public struct Group: Sendable {
            /// What a group is.
            public enum Kind: String, Sendable, CaseIterable {
                /// A static or global variable.
                case variable
                /// The stack and the thread-local variables of a thread.
                case thread
                /// The Task that requests the capture, or a Task that awaits it.
                case requestingTask
                /// Memory outside the heap.
                case memory
                /// Objects whose deinit is running.
                case deinitializing
                /// The variables, the threads and the Tasks of the tracer, in a program under `tracer-server run`.
                ///
                /// ``count`` and ``bytes`` are those of the blocks that only the tracer keeps. No groups are below it.
                case tracer
                /// Instances of a class.
                case instance = "class"
                /// Blocks of the kind with the same name in ``HeapGraph/Line/Kind``.
                case actor, storage, closure, box, task, dispatch, foundation, runtime, unknown

                /// Whether the group is a root.
                public var isRoot: Bool {
                    switch self {
                    case .variable, .thread, .requestingTask, .memory, .deinitializing, .tracer: true
                    default: false
                    }
                }
            }

            /// What the group is.
            public let kind: Kind
            /// The name for users: `static Cache.shared`, `thread 'main'`, `Screen`.
            public let name: String
            /// The type with its module, as in a line; empty if there is none.
            public let type: String
            /// Whether the variable or the type is in a module of the program.
            public let isOfProgram: Bool
            /// The position in ``RetainedSizes/groups`` of the group above; `nil` at the top of the tree.
            public internal(set) var parent: Int?
            /// The number of blocks; 0 for a root other than ``Kind/tracer``.
            public internal(set) var count: Int
            /// The blocks' own bytes, with malloc's headers and with the reference counts of weakly referenced objects.
            public internal(set) var bytes: Int
            /// The bytes of the group and of all groups below it.
            public internal(set) var retained: Int
            /// The most bytes that a single block of the group retains; 0 for a root.
            public internal(set) var largest: Int

            /// Creates a group.
            package init(
                kind: Kind, name: String, type: String = "", isOfProgram: Bool = false, parent: Int? = nil,
                count: Int = 0, bytes: Int = 0, retained: Int = 0, largest: Int = 0
            ) {
                self.kind = kind
                self.name = name
                self.type = type
                self.isOfProgram = isOfProgram
                self.parent = parent
                self.count = count
                self.bytes = bytes
                self.retained = retained
                self.largest = largest
            }
        }

        /// The groups; each comes after the group above it.
        ///
        /// The groups at the top are the roots, and the objects that several roots hold together.
        public let groups: [Group]
        /// The number of blocks that roots reach.
        public let count: Int
        /// The bytes of those blocks.
        public let bytes: Int
        /// The number of groups that are not listed, because there are more than 4,096; the smallest are left out.
        public let leftOut: Int
        /// The reason for which there are no retained sizes: the memory limit or the timeout; `nil` if there are.
        public let obstacle: String?

        /// Creates retained sizes.
        package init(
            groups: [Group] = [], count: Int = 0, bytes: Int = 0, leftOut: Int = 0, obstacle: String? = nil
        ) {
            self.groups = groups
            self.count = count
            self.bytes = bytes
            self.leftOut = leftOut
            self.obstacle = obstacle
        }

        /// The positions of the groups below a group, or of those at the top; the largest first.
        public func below(_ parent: Int?) -> [Int] {
            groups.indices.filter { groups[$0].parent == parent }.sorted {
                (groups[$1].retained, groups[$0].name, $0) < (groups[$0].retained, groups[$1].name, $1)
            }
        }

        /// The bytes below a group that belong to groups that are not listed.
        public func unlisted(below parent: Int?) -> Int {
            let listed = groups.lazy.filter { $0.parent == parent }.reduce(0) { $0 + $1.retained }
            let whole = parent.map { groups[$0].retained - groups[$0].bytes } ?? bytes
            return max(0, whole - listed)
        }
    }
}
