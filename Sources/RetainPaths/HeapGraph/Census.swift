import CRetainPaths
import LifetimeTracer
import TracerBase

/// A census with addresses instead of names.
struct Census: Sendable {
    /// Blocks with the same kind and the same addresses.
    struct Line: Sendable {
        /// The blocks' kind, an `rp_line_kind`.
        var kind: rp_line_kind
        /// The kind of the objects, an `rp_node_kind`.
        var node = rp_node_kind(0)
        /// The metadata of objects; the first word of a raw block.
        @HiddenAddress var metadata: UInt
        /// The function of a closure, the type in the box of an error, or the type of the first object in an array;
        /// 0 if it is not known.
        @HiddenAddress var detail: UInt
        var count: Int
        var bytes: Int
        /// The bytes that the blocks retain; `nil` if retained sizes were not computed.
        var retained: Int?
    }

    var lines: [Line]
    var cost: RetainCost

    /// Takes a census on the calling thread, which must be the search thread.
    ///
    /// Needs less memory than a search for leaks, and counts blocks that the memory limit leaves out.
    ///
    /// - Throws: ``RetainPathsError``, or `CancellationError`.
    static func take(
        _ options: RetainPaths.Options, _ observer: SearchObserver
    ) throws -> Census {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        guard let memory = CensusMemory() else {
            let error = SystemError.last
            throw RetainPathsError.failed(
                reason: "not enough memory for the result: \(error). \(ProcessLimits.reason(for: error))")
        }
        var question = HeapQuestion(
            targets: .addresses([]), timeout: options.timeout, memoryLimit: options.memoryLimit)
        question.census = memory
        var search = try HeapSearch(question, observer: observer)
        var budget = SearchBudget(options.timeout)
        let answer = try search.run(within: &budget)
        try HeapAnswer.demandRoom()
        return Census(lines: memory.lines, cost: answer.cost)
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not supported.")
        #endif
    }
}

extension Census {
    /// The census that the search for leaks has taken on the way; `nil` if there is none.
    init?(_ memory: RetainedMemory, _ cost: RetainCost) {
        guard memory.pointer.pointee.has_lines else { return nil }
        let hasRetained = rp_retained_state(memory.pointer.pointee.state) == RP_RETAINED_DONE
        self.init(lines: memory.lines.map { Line($0.line, hasRetained: hasRetained) }, cost: cost)
    }
}

extension Census.Line {
    /// - Parameter hasRetained: Whether the copy has computed retained sizes.
    init(_ line: rp_census_line, hasRetained: Bool = false) {
        self.init(
            kind: rp_line_kind(UInt32(line.kind)), node: rp_node_kind(UInt32(line.node)), metadata: line.metadata,
            detail: line.detail, count: Int(clamping: line.count), bytes: Int(clamping: line.bytes),
            retained: hasRetained ? Int(clamping: line.retained) : nil)
    }
}
