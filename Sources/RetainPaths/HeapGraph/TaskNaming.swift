import CRetainPaths
import LifetimeTracer

/// Names the tasks of a copy.
struct TaskNaming {
    private let lines: LineNaming
    /// The names that were looked up, by address, because tasks share most of their functions and types.
    private var functions: [UInt: Function] = [:]
    private var types: [UInt: String] = [:]

    init(lines: LineNaming) { self.lines = lines }

    /// A function of a task.
    private struct Function {
        /// The name in a list of frames; `nil` for a function that is left out.
        var frame: String?
        /// The name of the closure with which a task begins; empty if it is not known.
        var name = ""
        var isOfProgram = false
        var isOfTracer = false
        /// Whether the function is one of `Task.sleep`.
        var isSleep = false
        /// Whether the function is not in source code, but passes calls on to another one.
        var isThunk = false
    }

    /// The named tasks: first those that nothing can resume, then those that only others can resume.
    ///
    /// - Parameter obstacle: The reason for which the search failed, which does not matter if it failed after the list.
    mutating func tasks(_ memory: TaskMemory, obstacle: String?) -> HeapGraph.Tasks {
        guard memory.pointer.pointee.is_complete else {
            return HeapGraph.Tasks(obstacle: obstacle ?? "the Tasks were not read.")
        }
        let entries = memory.entries
        let numbers = Dictionary(entries.map { ($0.task.address, Int($0.task.id)) }) { first, _ in first }
        let children = Dictionary(grouping: entries.filter { $0.task.parent != 0 }) { $0.task.parent }
        let parents = Dictionary(entries.map { ($0.task.address, $0.task.parent) }) { first, _ in first }
        var named: [(address: UInt, task: HeapGraph.Task)] = []
        for entry in entries where !isOfTracer(entry) {
            let own = (children[entry.task.address] ?? []).map { Int($0.task.id) }.sorted()
            var task = self.named(entry, numbers, own, parents)
            // Without a second look, nothing confirms what the first one has found.
            if obstacle != nil { task.isStuck = false }
            named.append((entry.task.address, task))
        }
        let awaited = entries.map { ($0.task.address, Self.awaited($0.task, children[$0.task.address] ?? [])) }
        let stuck = StuckTasks(
            lost: named.filter(\.task.isStuck).map(\.address), awaited: Dictionary(awaited) { first, _ in first })
        for index in named.indices { named[index].task.isStuck = stuck.contains(named[index].address) }
        let ranks = Dictionary(uniqueKeysWithValues: zip(HeapGraph.Task.State.allCases, 0...))
        func place(_ task: HeapGraph.Task) -> (Int, Int, Int) {
            (task.isStuck ? 0 : 1, ranks[task.state] ?? 0, task.id)
        }
        return HeapGraph.Tasks(
            all: named.map(\.task).sorted { place($0) < place($1) },
            leftOut: Int(clamping: memory.pointer.pointee.left_out))
    }

    /// Whether nothing can resume a task that awaits a continuation.
    ///
    /// A parent can cancel its child, whose cancellation handler may then resume the continuation.
    private static func isLost(_ task: rp_listed_task) -> Bool {
        let mayBeCancelled = task.parent != 0 && !task.is_cancelled && task.handles_cancellation
        return task.is_unreached && !mayBeCancelled
    }

    /// The addresses of the tasks that a task awaits.
    ///
    /// A task that awaits a group awaits one or all of its children there.
    private static func awaited(_ task: rp_listed_task, _ children: [TaskMemory.Entry]) -> [UInt] {
        switch rp_task_state(UInt32(task.state)) {
        case RP_TASK_AWAITS_TASK: [task.awaits]
        case RP_TASK_AWAITS_GROUP: children.map(\.task.address)
        default: []
        }
    }

    /// Whether all functions of a task are the tracer's, as in the task that requests a capture for the dashboard.
    private mutating func isOfTracer(_ entry: TaskMemory.Entry) -> Bool {
        let functions = entry.frames.map { function(at: $0) }.filter { $0.frame != nil }
        return !functions.isEmpty && functions.allSatisfy(\.isOfTracer)
    }

    private mutating func named(
        _ entry: TaskMemory.Entry, _ numbers: [UInt: Int], _ children: [Int], _ parents: [UInt: UInt]
    ) -> HeapGraph.Task {
        let task = entry.task
        let functions = entry.frames.map { function(at: $0) }
        // The closures in front of that of the program are thunks.
        let closures = entry.closures.map { function(at: $0) }
        let position = closures.firstIndex { !$0.isThunk }
        let first = position.map { closures[$0] } ?? Function()
        let types = zip(entry.types, entry.captors).filter { type, captor in
            captor == 0 || position == nil || Int(captor) - 1 == position
        }.map(\.0)
        let isSleeping = first.isSleep || functions.contains(where: \.isSleep)
        let executor = awaitedExecutor(task)
        let state = state(task, isSleeping: isSleeping, isForActor: executor.isActor, parents)
        return HeapGraph.Task(
            id: Int(task.id), state: state,
            awaits: numbers[task.awaits].map { "Task \($0)" } ?? executor.name, isCancelled: task.is_cancelled,
            isStuck: state == .continuation && Self.isLost(task), parent: numbers[task.parent],
            children: children, name: first.name, label: Self.label(entry.label),
            functions: Self.withoutRepetition(functions.compactMap(\.frame)),
            isOfProgram: first.isOfProgram || functions.contains(where: \.isOfProgram),
            holds: Set(types).map { typeName($0) }.filter { !$0.isEmpty && $0 != Self.mainExecutor }.sorted())
    }

    private static func label(_ bytes: [UInt8]) -> String {
        let (text, mark) = NodeReader.withoutCutCharacter(
            String(decoding: bytes, as: UTF8.self), limit: Int(RP_MAX_TASK_LABEL))
        return text + mark
    }

    private mutating func function(at address: UInt) -> Function {
        if let known = functions[address] { return known }
        let function = newFunction(at: address)
        functions[address] = function
        return function
    }

    private func newFunction(at address: UInt) -> Function {
        var function = Function()
        let symbol = lines.names.symbol(address)
        guard let symbol, let name = AsyncFunctionName(symbol) else { return function }
        function.isSleep = name.isOfSwift && symbol.name.contains("Task<") && symbol.name.contains("sleep")
        function.name = name.closure.place.isEmpty ? "" : name.closure.brief
        function.isThunk = name.closure.isThunk
        guard name.isShown else { return function }
        function.frame = name.closure.brief
        function.isOfTracer = Self.tracerModules.contains(name.module)
        function.isOfProgram = name.isOfProgram(libraries: lines.libraryModules)
        return function
    }

    /// The modules of the tracer that have tasks of their own.
    private static let tracerModules: Set = [
        "LifetimeTracer", "LifetimeTracerDashboard", "LifetimeTracerServer", "RetainPaths",
    ]

    private mutating func typeName(_ metadata: UInt) -> String {
        if let known = types[metadata] { return known }
        let qualified = lines.names.typeName(metadata)?.qualified ?? ""
        let name = ShortTypeName.of(
            KnownTypes.storage(of: qualified) ?? KnownTypes.wellKnownName(of: qualified) ?? qualified)
        types[metadata] = name
        return name
    }

    private func state(
        _ task: rp_listed_task, isSleeping: Bool, isForActor: Bool, _ parents: [UInt: UInt]
    ) -> HeapGraph.Task.State {
        switch rp_task_state(UInt32(task.state)) {
        case RP_TASK_RUNNING: .running
        // Where the library is part of the program, the task that is to wake a sleeping one is listed.
        case RP_TASK_WAITS_FOR_EXECUTOR: isForActor ? .actor : isSleeping ? .sleep : .ready
        case RP_TASK_AWAITS_TASK: parents[task.awaits] == task.address ? .child : .task
        case RP_TASK_AWAITS_GROUP: .child
        case RP_TASK_AWAITS_CONTINUATION: isSleeping ? .sleep : .continuation
        default: isSleeping ? .sleep : .suspended
        }
    }

    /// The type of the actor or of another executor in whose queue a task waits; empty if it waits for something else.
    private mutating func awaitedExecutor(_ task: rp_listed_task) -> (name: String, isActor: Bool) {
        guard rp_task_state(UInt32(task.state)) == RP_TASK_WAITS_FOR_EXECUTOR, task.awaits != 0 else {
            return ("", false)
        }
        guard task.awaited_type != 0 else {
            let isMain = lines.names.symbol(task.awaits)?.name == Self.mainQueue
            return (isMain ? "MainActor" : "", isMain)
        }
        let name = typeName(task.awaited_type)
        return name == Self.mainExecutor ? ("MainActor", true) : (name, LineNaming.isActor(task.awaited_type))
    }

    /// The executor of the main actor: an object, and before Swift 6.2 a queue.
    private static let mainExecutor = "DispatchMainExecutor"
    private static let mainQueue = "_dispatch_main_q"

    /// An async function has a symbol for each part; two parts of the same function follow each other in a frame.
    private static func withoutRepetition(_ names: [String]) -> [String] {
        names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
    }
}
