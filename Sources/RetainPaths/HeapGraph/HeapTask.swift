extension HeapGraph {
    /// A Swift Task that has not ended.
    public struct Task: Sendable, Hashable {
        /// What a Task does.
        public enum State: String, Sendable, CaseIterable {
            /// The Task awaits a continuation that somebody else must resume.
            case continuation
            /// The Task awaits the end of another Task, which is not its child.
            case task
            /// The Task awaits the end of its children.
            case child
            /// The Task waits for its turn on an actor.
            case actor
            /// The Task does not run, and the runtime does not say what it awaits.
            case suspended
            /// The Task can run, and waits for a thread, or for its turn on an executor that is not an actor.
            case ready
            /// The Task sleeps.
            case sleep
            /// The Task runs on a thread.
            case running
        }

        /// The number that the runtime has given the Task.
        ///
        /// It rises with each Task, and starts again at 0 after 2^32 Tasks.
        public let id: Int
        /// What the Task does.
        public let state: State
        /// The Task, or the type of the actor or executor, that the Task awaits: `Task 17`, `Database`; empty if there
        /// is none.
        public let awaits: String
        /// Whether the Task has been cancelled.
        public let isCancelled: Bool
        /// Whether nothing can resume the Task.
        ///
        /// It awaits a continuation to which nothing refers, or Tasks that nothing can resume, such as Tasks that await
        /// each other. No reference to a Task with such a continuation was found in two copies of the process, except
        /// from objects that no root reaches.
        public internal(set) var isStuck: Bool
        /// The number of the parent, of which the Task is a child; `nil` if it has none.
        public let parent: Int?
        /// The numbers of the children that have not ended.
        public let children: [Int]
        /// The closure with which the Task began; empty if it is not known.
        public let name: String
        /// The name that the program gave the Task, as with `Task(name:)`; empty if there is none.
        ///
        /// Cut after 64 bytes, with `…` at the end.
        public let label: String
        /// The async functions that have not returned, innermost first, as far as they have names.
        ///
        /// Functions of the concurrency library are left out.
        public let functions: [String]
        /// Whether the closure or one of the functions is in a module of the program.
        public let isOfProgram: Bool
        /// The types of the objects to which the closure and the functions of the Task refer; at most 16.
        ///
        /// Variables of async functions have no layout, so a type may stem from a stale word.
        public let holds: [String]

        /// Creates a Task.
        package init(
            id: Int, state: State, awaits: String = "", isCancelled: Bool = false,
            isStuck: Bool = false, parent: Int? = nil, children: [Int] = [], name: String = "",
            label: String = "", functions: [String] = [], isOfProgram: Bool = false, holds: [String] = []
        ) {
            self.id = id
            self.state = state
            self.awaits = awaits
            self.isCancelled = isCancelled
            self.isStuck = isStuck
            self.parent = parent
            self.children = children
            self.name = name
            self.label = label
            self.functions = functions
            self.isOfProgram = isOfProgram
            self.holds = holds
        }
    }

    /// The Tasks of a capture.
    public struct Tasks: Sendable {
        /// The Tasks that have not ended: first those that nothing or only others can resume, last those that run; the
        /// oldest first.
        public let all: [Task]
        /// The number of Tasks that are not listed, because there are more than 8,192.
        ///
        /// At most 1,024 of those that are in the same state and functions are then listed, so that many equal Tasks do
        /// not displace the others.
        public let leftOut: Int
        /// The reason for which there is no list; `nil` if there is one.
        public let obstacle: String?

        /// Creates a list of Tasks.
        package init(all: [Task] = [], leftOut: Int = 0, obstacle: String? = nil) {
            self.all = all
            self.leftOut = leftOut
            self.obstacle = obstacle
        }
    }
}
