import CRetainPaths

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

    /// Clears the memory of the current task in which the functions of a search get their frames.
    ///
    /// Nothing else clears the memory of a frame. A stale word in it would look like a reference from a variable of the
    /// task. A function that awaits a search calls this first. Without a current task, nothing happens.
    static func clearUnusedFrames() {
        #if os(Linux)
        guard current != nil else { return }
        // The task's memory is a list of blocks. The smallest pieces leave no room in a block that a frame could take.
        let size = 16
        let pieces = (0..<256).compactMap { _ in rp_allocate_frame(size) }
        for piece in pieces { piece.initializeMemory(as: UInt8.self, repeating: 0, count: size) }
        // The last piece is freed first, as the task's memory requires.
        for piece in pieces.reversed() { rp_free_frame(piece) }
        #endif
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
