#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import LifetimeTracer

extension HeapAnswer {
    /// Decodes the answer that a frozen copy left in shared memory.
    ///
    /// The result does not point into that memory. Not inlined, because the addresses of objects that it leaves in its
    /// frame are cleared before the next copy, unlike those in the frame of its caller.
    @inline(never)
    init(_ answer: UnsafePointer<rp_answer>, cost: RetainCost, threads known: [rp_thread]) {
        self.cost = cost
        threadNumbers = known.map(\.id)
        self.cost.objects = Int(answer.pointee.counts.objects)
        self.cost.blocks = Int(answer.pointee.counts.blocks)
        blocksOfLines = Int(clamping: answer.pointee.counts.of_lines)
        self.cost.copyBytes = Int(clamping: answer.pointee.counts.own_bytes)
        findings = (0..<answer.pointee.result_count).compactMap { index in
            rp_result_at(answer, index).map { Finding($0, threads: known) }
        }
        for thread in findings.flatMap({ $0.steps + $0.holders }).compactMap(\.node.thread)
        where threads[thread] == nil {
            threads[thread] = ThreadStacks.name(of: Int32(thread))
        }
    }
}

extension HeapAnswer.Finding {
    fileprivate init(_ result: UnsafePointer<rp_result>, threads: [rp_thread]) {
        let found = result.pointee
        // Safe: the accessors return pointers into `result`, and the counts are within the bounds of its arrays.
        let steps = (0..<Int(found.step_count)).compactMap { index in
            rp_steps(result).map { HeapAnswer.Step($0 + index, threads: threads) }
        }
        let holders = (0..<Int(found.holder_count)).compactMap { index in
            rp_holders(result).map { HeapAnswer.Step(holder: $0 + index, number: UInt32(index), result, threads) }
        }
        self.init(
            status: Status(rp_status(found.status)), address: found.address, metadata: found.metadata,
            strongCount: Int(found.strong_count), unownedCount: Int(found.unowned_count),
            weakCount: Int(found.weak_count), found: Int(found.found), precise: Int(found.precise),
            fromRoots: Int(found.from_roots), culprit: found.culprit > 0 ? Int(found.culprit) - 1 : nil, steps: steps,
            cycle: found.has_cycle ? Int(found.cycle_start)...Int(found.cycle_end) : nil,
            gap: found.gap > 0 ? Int(found.gap) : nil, holders: holders,
            size: Int(found.size))
    }
}

extension HeapAnswer.Finding.Status {
    fileprivate init(_ status: rp_status) {
        switch status {
        case RP_STATUS_REACHABLE: self = .reachable
        case RP_STATUS_CYCLE: self = .cycle
        case RP_STATUS_LEAKED_BY_CYCLE: self = .leakedByCycle
        case RP_STATUS_NO_ROOT_FOUND: self = .noRootFound
        case RP_STATUS_DEINITIALIZING: self = .deinitializing
        case RP_STATUS_NOT_EXAMINED: self = .notExamined
        default: self = .notFound
        }
    }
}

extension HeapAnswer.Step {
    fileprivate init(
        holder: UnsafePointer<rp_step>, number: UInt32, _ result: UnsafePointer<rp_result>, _ threads: [rp_thread]
    ) {
        self.init(holder, threads: threads)
        // Safe: the accessor returns a pointer to at least `rp_owner_count` steps in `result`.
        let owners = UnsafeBufferPointer(
            start: rp_owners(result, number), count: Int(rp_owner_count(result, number)))
        self.owners = owners.indices.reversed().compactMap { index in
            owners.baseAddress.map { Self($0 + index, threads: threads) }
        }
    }

    // Safe: the step is in the answer, which the initializer of the answer keeps valid.
    fileprivate init(_ step: UnsafePointer<rp_step>, threads: [rp_thread]) {
        let told = step.pointee
        // `told.thread` is an index. The thread's number is the one that other tools show, too.
        let thread = threads.indices.contains(Int(told.thread)) ? Int(threads[Int(told.thread)].id) : 0
        let isAsync = told.may_be_async && Self.describesAsyncFunction(told.code)
        self.init(
            node: Node(rp_node_kind(UInt32(told.node)), thread: thread), address: told.address,
            metadata: told.metadata, size: Int(told.size),
            edge: isAsync ? .function : Edge(rp_edge_kind(UInt32(told.edge))), isPrecise: told.is_precise,
            names: Self.names(step),
            index: told.index >= 0 ? Int(told.index) : nil, key: Key(step), isInKey: told.is_in_key,
            isInExistential: told.is_in_existential,
            slice: told.is_slice && told.slice_start <= told.slice_end
                ? Int(told.slice_start)..<Int(told.slice_end) : nil,
            code: told.may_be_async && !isAsync ? 0 : told.code, offset: Int(told.offset), isReached: told.is_reached,
            isContested: told.is_contested, ownCode: told.own_code,
            // Safe: the accessor returns a pointer to at least `function_count` functions.
            functions: Array(UnsafeBufferPointer(start: rp_step_functions(step), count: Int(told.function_count))),
            isInCallee: told.is_in_callee, isAwaited: told.is_awaited, isInRegister: told.is_in_register,
            isTaskLocal: told.is_task_local)
    }
}

extension HeapAnswer.Step {
    private static func names(_ step: UnsafePointer<rp_step>) -> [Name] {
        // Safe: the accessor returns a pointer to RP_MAX_NAMES names, and `name_count` is at most that.
        UnsafeBufferPointer(start: rp_step_names(step), count: Int(step.pointee.name_count)).enumerated().map {
            Name(text: TypeLayouts.shared.name($1), isCase: step.pointee.case_names >> $0 & 1 != 0)
        }
    }

    /// Whether an address is that of the compiler's descriptor of an async function (docs/ABI/Mangling.rst, "Tu").
    private static func describesAsyncFunction(_ address: UInt) -> Bool {
        guard let symbol = Symboliser.shared.symbol(at: address), symbol.offset == 0 else { return false }
        return symbol.mangledName?.hasSuffix("Tu") ?? false
    }
}

extension HeapAnswer.Step.Node {
    fileprivate init(_ kind: rp_node_kind, thread: Int) {
        switch kind {
        case RP_NODE_ROOT_DATA: self = .rootData
        case RP_NODE_ROOT_THREAD_LOCAL: self = .rootThreadLocal(thread: thread)
        case RP_NODE_ROOT_ANONYMOUS: self = .rootAnonymous
        case RP_NODE_ROOT_STACK: self = .rootStack(thread: thread)
        case RP_NODE_ROOT_TASK: self = .rootTask
        case RP_NODE_ROOT_AWAITING_TASK: self = .rootWaitingTask
        case RP_NODE_OBJECT: self = .object
        case RP_NODE_CLOSURE: self = .closure
        case RP_NODE_GENERIC_BOX: self = .genericBox
        case RP_NODE_ERROR_BOX: self = .errorBox
        case RP_NODE_TASK: self = .task
        case RP_NODE_STATIC_OBJECT: self = .staticObject
        default: self = .block
        }
    }
}

extension HeapAnswer.Step.Edge {
    fileprivate init?(_ kind: rp_edge_kind) {
        switch kind {
        case RP_EDGE_STRONG: self = .strong
        case RP_EDGE_FUNCTION: self = .function
        case RP_EDGE_EXISTENTIAL_BOX: self = .existentialBox
        case RP_EDGE_RAW: self = .raw
        case RP_EDGE_CONSERVATIVE: self = .conservative
        default: return nil
        }
    }
}

extension HeapAnswer.Step.Key {
    fileprivate init?(_ step: UnsafePointer<rp_step>) {
        // Safe: the accessor returns a pointer to RP_KEY_BYTES bytes, and `key_length` is at most that.
        let bytes = UnsafeRawBufferPointer(start: rp_key_bytes(step), count: Int(step.pointee.key_length))
        switch rp_key_kind(UInt32(step.pointee.key_kind)) {
        case RP_KEY_STRING: self = .string(String(decoding: bytes, as: UTF8.self))
        case RP_KEY_SIGNED where bytes.count == 8: self = .signed(bytes.loadUnaligned(as: Int64.self))
        case RP_KEY_UNSIGNED where bytes.count == 8: self = .unsigned(bytes.loadUnaligned(as: UInt64.self))
        default: return nil
        }
    }
}
#endif
