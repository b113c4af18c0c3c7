#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import TracerBase

/// Searches frozen copies of the process, one after the other, until one has an answer.
///
/// A copy that meets new types ends and lists them. The search then compiles their layouts in the program and makes
/// another copy. A search blocks the calling thread while the copies work, so it runs on the search thread.
struct HeapSearch: ~Copyable {
    /// The number of copies in one search that found the heap in the middle of a change, at which the search fails.
    private static let retryLimit = 40

    /// What the next copy searches for.
    var question: HeapQuestion
    private let observer: SearchObserver
    /// malloc's mark of cached blocks, which stays the same for the life of the process; 0 while it is not known.
    static var cacheMark: UInt { learntCacheMark.withLock { $0 } }
    private static let learntCacheMark = Locked<UInt>(0)

    private let facts: rp_process_facts
    private let answer: UnsafeMutablePointer<rp_answer>
    private let targets: [UInt64]
    /// The number of results for which `answer` has room.
    private let room: UInt32
    private var cost = RetainCost()
    private var rounds: SearchRounds
    /// The types whose layouts were requested.
    ///
    /// They are not requested again: compiling them again would not improve them.
    private var askedTypes: Set<UInt> = []
    private var askedContexts: Set<UInt> = []
    private var askedVariables: Set<UInt> = []

    init(
        _ question: HeapQuestion, observer: SearchObserver, rounds: SearchRounds = SearchRounds()
    ) throws(RetainPathsError) {
        try HeapAnswer.demandRoom()
        let targets = question.targets.inverted
        let room =
            question.leaks == nil ? UInt32(max(targets.count, question.sample)) : UInt32(RP_MAX_LEAKS)
        guard let answer = rp_make_answer(room) else {
            let error = SystemError.last
            throw .failed(
                reason: "not enough memory for the result: \(error). \(ProcessLimits.reason(for: error)) "
                    + "Or search for fewer instances.")
        }
        self.question = question
        self.observer = observer
        self.rounds = rounds
        self.targets = targets
        self.room = room
        self.answer = answer
        var facts = rp_learn_process_facts()
        facts.cache_mark = Self.cacheMark
        self.facts = facts
    }

    deinit {
        // `answer` was made by `rp_make_answer` in the initializer, for as many results.
        rp_free_answer(answer, room)
    }

    /// Searches on the calling thread.
    ///
    /// - Parameter budget: The processor time that the copies may use. The search subtracts the time that they used.
    /// - Throws: ``RetainPathsError``, or `CancellationError`.
    mutating func run(within budget: inout SearchBudget) throws -> HeapAnswer {
        let start = ContinuousClock.now
        var retries = 0
        var first: HeapAnswer?
        while true {
            // For the frames below: a copy's answer leaves addresses on the stack when it is decoded.
            SearchThread.clearUnusedStack()
            let (threads, status) = try copy(within: &budget)
            let mark = answer.pointee.cache_mark
            if mark != 0 { Self.learntCacheMark.withLock { $0 = mark } }
            switch rp_state(answer.pointee.state) {
            case RP_STATE_DONE:
                rounds.finish()
                cost.total = ContinuousClock.now - start
                let last = HeapAnswer(answer, cost: cost, threads: threads)
                if let first {
                    return question.lines.isEmpty
                        ? first.withoutDoubtfulFindings(from: last) : first.orLessDoubtful(last)
                }
                // The process may have been copied while a thread was changing a collection. The collection then seems
                // to hold the previous contents of its memory. This is rare, so one more search is enough. A search for
                // leaks compares two copies anyway.
                guard question.leaks == nil, last.findings.contains(where: \.isDoubtful) else { return last }
                first = last
            case RP_STATE_NEEDS_LAYOUTS:
                rounds.requestedLayouts(areNew: try makeLayouts())
            case RP_STATE_PREVIEWED:
                rounds.finishedPreview()
            case RP_STATE_HEAP_IN_FLUX:
                retries += 1
                guard retries < Self.retryLimit else {
                    throw RetainPathsError.failed(
                        reason: "the heap was changing during each of the \(retries) copies of the process. "
                            + "Retry when the program is less busy.")
                }
                usleep(useconds_t(100 * retries))
            case let state:
                throw failure(state, status)
            }
        }
    }

    /// Copies the process and waits for the copy.
    ///
    /// Returns the threads at the time of copying, and the copy's exit status.
    private mutating func copy(within budget: inout SearchBudget) throws -> (threads: [rp_thread], status: Int32) {
        observer.progress(.preparing)
        guard let layouts = TypeLayouts.shared.table else {
            throw RetainPathsError.failed(
                reason: "not enough memory for the type layouts. \(ProcessLimits.memory)")
        }
        let image = try ProcessImage.current()
        cost.excludedWords = image.excludedWords
        let threads = try (question.leaks == nil ? ThreadStacks() : .settled()).threads
        let ownMemory = [
            rp_range(
                start: UInt(bitPattern: layouts),
                end: UInt(bitPattern: layouts.pointee.names) + UInt(layouts.pointee.name_limit))
        ]
        let tracerBlocks = TracerBlocks.current
        let ownBlocks = (tracerBlocks.ranges + image.memory + question.hiddenBlocks)
            .map { rp_range(start: $0.lowerBound, end: $0.upperBound) }
        let lines = question.lines.map(\.key)
        // A block that is freed before the copy is made could become one of the program's.
        defer { withExtendedLifetime((tracerBlocks, image)) {} }
        answer.pointee.reset()
        observer.progress(.copying)
        let ending = try image.withRequest { image in
            try withBuffers(threads, targets, question.askers.map(\.inverted)) { threads, targets, askers in
                try withBuffers(ownMemory, ownBlocks, lines) { ownMemory, ownBlocks, lines in
                    // The buffers are valid until `FrozenCopy.init` returns, which is as long as the request is read.
                    var request = image
                    request.layouts = UnsafePointer(layouts)
                    request.own_memory = ownMemory.baseAddress
                    request.own_memory_count = UInt32(ownMemory.count)
                    request.own_blocks = ownBlocks.baseAddress
                    request.own_block_count = UInt32(ownBlocks.count)
                    request.thread_count = UInt32(threads.count)
                    request.threads = threads.baseAddress
                    request.facts = facts
                    request.process_id = getpid()
                    request.own_thread_id = rp_thread_number()
                    request.targets = targets.baseAddress
                    request.target_count = UInt32(targets.count)
                    request.address_count = UInt32(question.targets.addresses.count)
                    request.lines = lines.baseAddress
                    request.line_count = UInt32(lines.count)
                    request.sample = UInt32(question.sample)
                    request.requesting_tasks = askers.baseAddress
                    request.requesting_task_count = UInt32(askers.count)
                    request.is_last_round = rounds.isLast
                    request.preview_bytes = rounds.bytesOfPreview
                    request.memory_limit = UInt64(clamping: question.memoryLimit)
                    request.large_block_size = question.largeBlockSize
                    request.census = question.census?.pointer
                    request.leaks = question.leaks?.pointer
                    request.retained = question.retained?.pointer
                    request.tasks = question.tasks?.pointer
                    let child = try FrozenCopy(request, answer: answer)
                    cost.rounds += 1
                    cost.pause = max(cost.pause, .nanoseconds(Int64(clamping: child.pause)))
                    return child.wait(within: &budget, observer: observer)
                }
            }
        }
        switch ending {
        case .cancelled: throw CancellationError()
        case .timedOut(let step):
            throw RetainPathsError.timedOut(after: question.timeout, step: step)
        case .ended(let status): return (threads, status)
        }
    }

    /// Compiles the layouts that the copy requested.
    ///
    /// Returns whether any of them was requested for the first time.
    private mutating func makeLayouts() throws(RetainPathsError) -> Bool {
        // Safe: the copy has ended, and the lists are in the shared memory, which is freed with `self`.
        let types = UnsafeBufferPointer(
            start: rp_unknown_types(answer), count: Int(answer.pointee.unknown_type_count))
        let newTypes = types.filter { askedTypes.insert($0).inserted }
        let contexts = UnsafeBufferPointer(
            start: rp_unknown_contexts(answer), count: Int(answer.pointee.unknown_context_count))
        var newContexts: [(metadata: UInt, bindings: [UInt])] = []
        for index in contexts.indices where askedContexts.insert(contexts[index].key).inserted {
            // Safe: the pointer stays inside the shared memory, which is freed with `self`.
            let context = contexts.baseAddress.map { $0 + index }
            let bindings = UnsafeBufferPointer(
                start: context.map { rp_context_bindings($0) }, count: Int(contexts[index].count))
            newContexts.append((contexts[index].metadata, Array(bindings)))
        }
        let variables = UnsafeBufferPointer(
            start: rp_unknown_variables(answer), count: Int(answer.pointee.unknown_variable_count))
        let newVariables = variables.filter { askedVariables.insert($0.start).inserted }.map { variable in
            let symbol = Symboliser.shared.symbol(at: variable.start).flatMap { $0.offset == 0 ? $0.mangledName : nil }
            return (range: variable.start..<variable.end, symbol: symbol)
        }
        for error in [
            TypeLayouts.shared.compile(metadata: newTypes), TypeLayouts.shared.compileContexts(newContexts),
            TypeLayouts.shared.compileVariables(newVariables),
        ] where error != 0 { throw .cannotCopy(SystemError(error)) }
        return !newTypes.isEmpty || !newContexts.isEmpty || !newVariables.isEmpty
    }

    private func failure(_ state: rp_state, _ status: Int32) -> RetainPathsError {
        let error = SystemError(answer.pointee.error)
        switch state {
        case RP_STATE_OUT_OF_MEMORY:
            guard error.number != 0 else { return .outOfMemory(limit: question.memoryLimit) }
            return .failed(
                reason: "the frozen copy ran out of memory: \(error). \(ProcessLimits.memory)")
        case RP_STATE_HEAP_UNKNOWN:
            return .unavailable(
                reason: "the heap does not have the format of glibc 2.34 or later. Run the program with glibc's malloc."
            )
        case RP_STATE_HEAP_ELSEWHERE:
            return .failed(
                reason:
                    "malloc has extended its first arena beyond the brk heap, where the search cannot read it. "
                    + "\(ProcessLimits.memory)")
        case RP_STATE_REFUSED:
            let remedy = error.isShortage ? ProcessLimits.reason(for: error) : "Mount /proc."
            return .failed(reason: "the frozen copy cannot read /proc/self/maps: \(error). \(remedy)")
        case RP_STATE_CRASHED:
            return .failed(reason: "the frozen copy received signal \(error.number). Retry.")
        default:
            // The lowest seven bits of the status are the number of the signal that ended the copy (waitpid(2)).
            let signal = status & 0x7F
            guard signal == SIGKILL else {
                return .failed(reason: "the frozen copy ended unexpectedly (status \(status)). Retry.")
            }
            return .failed(
                reason: "the frozen copy was killed, probably because the system ran out of memory. "
                    + "\(ProcessLimits.memory)")
        }
    }
}

private func withBuffers<A, B, Result>(
    _ first: [A], _ second: [B], _ body: (UnsafeBufferPointer<A>, UnsafeBufferPointer<B>) throws -> Result
) rethrows -> Result {
    try first.withUnsafeBufferPointer { first in try second.withUnsafeBufferPointer { try body(first, $0) } }
}

private func withBuffers<A, B, C, Result>(
    _ first: [A], _ second: [B], _ third: [C],
    _ body: (UnsafeBufferPointer<A>, UnsafeBufferPointer<B>, UnsafeBufferPointer<C>) throws -> Result
) rethrows -> Result {
    try withBuffers(first, second) { first, second in
        try third.withUnsafeBufferPointer { try body(first, second, $0) }
    }
}

extension rp_answer {
    /// Clears the fields that a copy has written.
    ///
    /// The next copy overwrites the results.
    fileprivate mutating func reset() {
        phase = 0
        state = 0
        error = 0
        unknown_type_count = 0
        unknown_types_dropped = 0
        unknown_context_count = 0
        unknown_contexts_dropped = 0
        unknown_variable_count = 0
        unknown_variables_dropped = 0
        result_count = 0
        counts = rp_counts()
    }
}
#endif
