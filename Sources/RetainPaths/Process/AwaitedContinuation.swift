/// The continuation that a task awaits, read from the memory of the running program.
///
/// The task may have been resumed since the search found it, and its memory may have been reused. Therefore each read
/// may fail, and the caller must check that the results are functions.
enum AwaitedContinuation {
    /// The offsets in a task of the function that runs next, and of the frame that it gets (swift/ABI/Task.h: Job,
    /// AsyncTask).
    private static let function: UInt = 56, frame: UInt = 64
    /// The offsets in a frame of the caller's frame, and of the function that resumes there (AsyncContext).
    private static let callersFrame: UInt = 0, callersFunction: UInt = 8
    /// The offset in a task of its status, and the bit for a task that was cancelled (TaskPrivate.h:
    /// ActiveTaskStatus).
    private static let status: UInt = 96, isCancelledBit: UInt = 0x100
    /// The largest number of frames to read.
    ///
    /// A function and the code that makes its continuation are fewer calls apart.
    private static let callLimit = 8

    /// The functions that resume together with the continuation, innermost first; empty if the task awaits something
    /// else.
    static func functions(of task: UInt) -> [UInt] {
        guard let memory = OwnMemory(), let next = memory.word(at: task &+ function),
            var current = memory.word(at: task &+ frame),
            // swift_continuation_await stores the task's next function in the continuation's frame as the caller's
            // function.
            memory.word(at: current &+ callersFunction) == next
        else { return [] }
        var functions: [UInt] = []
        while functions.count < callLimit, current != 0, let code = memory.word(at: current &+ callersFunction),
            code != 0
        {
            functions.append(code)
            guard let caller = memory.word(at: current &+ callersFrame) else { break }
            current = caller
        }
        return functions
    }

    /// Whether a task was cancelled; `false` if its memory cannot be read.
    static func isCancelled(_ task: UInt) -> Bool {
        OwnMemory()?.word(at: task &+ status).map { $0 & isCancelledBit != 0 } ?? false
    }
}
