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
    }

    var lines: [Line]
    var cost: RetainCost

    /// Takes a census on the calling thread, which must be the search thread.
    ///
    /// - Throws: ``RetainPathsError``, or `CancellationError`.
    static func take(
        _ options: RetainPaths.Options, within budget: inout SearchBudget, _ observer: SearchObserver
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
        let answer = try search.run(within: &budget)
        try HeapAnswer.demandRoom()
        return Census(lines: memory.lines, cost: answer.cost)
        #else
        throw RetainPathsError.unavailable(reason: ProcessTraits.obstacle ?? "this system is not supported.")
        #endif
    }
}

extension Census.Line {
    init(_ line: rp_census_line) {
        self.init(
            kind: rp_line_kind(UInt32(line.kind)), node: rp_node_kind(UInt32(line.node)), metadata: line.metadata,
            detail: line.detail, count: Int(clamping: line.count), bytes: Int(clamping: line.bytes))
    }
}
