import CRetainPaths

/// The memory that the program and a frozen copy share for tasks.
///
/// `@unchecked Sendable` is safe: the copy writes the memory while the search thread waits, and only the search thread
/// reads it.
final class TaskMemory: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<rp_task_list>

    /// `nil` if there is too little memory.
    init?() {
        guard let pointer = rp_make_tasks() else { return nil }
        self.pointer = pointer
    }

    deinit {
        // `pointer` was made by `rp_make_tasks` in the initializer.
        rp_free_tasks(pointer)
    }

    /// A task with addresses instead of names.
    struct Entry {
        let task: rp_listed_task
        let frames: [UInt]
        /// The function with which the task began, and the closures that it and further thunks capture.
        let closures: [UInt]
        let types: [UInt]
        /// For each type, the closure that captures the object: 1 for the first, 0 if a frame refers to it.
        let captors: [UInt8]
        let label: [UInt8]
    }

    /// The tasks that the copy has listed.
    var entries: [Entry] {
        entries(count: pointer.pointee.count) { rp_listed_task_at($0, $1) }
    }

    /// The tasks of the self-check, in the order in which they were marked; those that were not found are empty.
    var planted: [Entry] {
        entries(count: pointer.pointee.planted_count) { rp_planted_task_at($0, $1) }
    }

    private func entries(
        count: UInt32, at place: (UnsafePointer<rp_task_list>, UInt32) -> UnsafePointer<rp_listed_task>?
    ) -> [Entry] {
        // Safe: the accessors return pointers into the memory, which `self` keeps, for indices below the counts.
        withExtendedLifetime(self) {
            (0..<count).compactMap { index in
                guard let task = place(pointer, index) else { return nil }
                let frames = UnsafeBufferPointer(start: rp_task_frames(task), count: Int(task.pointee.frame_count))
                let closures = UnsafeBufferPointer(
                    start: rp_task_closures(task), count: Int(task.pointee.closure_count))
                let types = UnsafeBufferPointer(start: rp_task_types(task), count: Int(task.pointee.type_count))
                let captors = UnsafeBufferPointer(start: rp_task_captors(task), count: types.count)
                let label = UnsafeRawBufferPointer(start: rp_task_label(task), count: Int(task.pointee.label_length))
                return Entry(
                    task: task.pointee, frames: Array(frames), closures: Array(closures), types: Array(types),
                    captors: Array(captors), label: Array(label))
            }
        }
    }
}
