/// A task that asks who holds something, and waits for the answer: what its variables hold is held by it.
///
/// Told by its address, inverted bit by bit, so that a search does not take the question for one who holds the task.
struct AskingTask: Sendable, Hashable {
    let inverted: UInt64

    /// The task that runs this; `nil` outside of tasks.
    static var current: Self? {
        withUnsafeCurrentTask { task in
            // Safe: it is one reference to the task (stdlib/public/Concurrency/Task.swift, UnsafeCurrentTask), of which
            // only the number is taken, and its size is looked at first.
            guard let task, MemoryLayout<UnsafeCurrentTask>.size == MemoryLayout<UInt>.size else { return nil }
            return Self(inverted: ~UInt64(unsafeBitCast(task, to: UInt.self)))
        }
    }
}
