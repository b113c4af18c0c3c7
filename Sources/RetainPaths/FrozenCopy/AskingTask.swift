/// A task that requests a search and awaits its result.
///
/// The task is a root: it holds the objects in its variables.
///
/// The task's address is stored inverted, so that a search does not mistake it for a reference to the task.
struct AskingTask: Sendable, Hashable {
    let inverted: UInt64

    /// The current task; `nil` outside of tasks.
    static var current: Self? {
        withUnsafeCurrentTask { task in
            // Safe: the value is a single reference to the task (stdlib/public/Concurrency/Task.swift,
            // UnsafeCurrentTask). Its size is checked first, and it is used as a number only.
            guard let task, MemoryLayout<UnsafeCurrentTask>.size == MemoryLayout<UInt>.size else { return nil }
            return Self(inverted: ~UInt64(unsafeBitCast(task, to: UInt.self)))
        }
    }
}

extension AskingTask {
    /// The task of a handle.
    init<Success: Sendable>(_ task: Task<Success, Never>) {
        // Safe: a handle is a single reference to the task (stdlib/public/Concurrency/Task.swift). It is used as a
        // number only.
        self.init(inverted: ~UInt64(unsafeBitCast(task, to: UInt.self)))
    }
}
