/// The continuation for which a task waits, read from the memory of the running program.
///
/// Nothing is taken for granted: the task may have gone on since it was found, and its memory may be another's by now.
enum AwaitedContinuation {
    /// A task's function that is called next, and the frame that it gets (swift/ABI/Task.h: Job, AsyncTask).
    private static let function: UInt = 56, frame: UInt = 64
    /// In a frame, that of the caller, and the function that goes on there (AsyncContext).
    private static let callersFrame: UInt = 0, callersFunction: UInt = 8
    /// More calls than lie between a function and what makes its continuation.
    private static let callLimit = 8

    /// The functions that go on when the continuation is resumed, innermost first; none where the task waits for anything else.
    static func functions(of task: UInt) -> [UInt] {
        guard let memory = OwnMemory(), let next = memory.word(at: task &+ function),
            var current = memory.word(at: task &+ frame),
            // The continuation's frame has the function that goes on as that of its caller (swift_continuation_await).
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
}
