import CRetainPaths
import LifetimeTracer

/// Names the tasks of a copy.
struct TaskNaming {
    let lines: LineNaming

    /// The named tasks, those that only others can resume first.
    func tasks(_ memory: TaskMemory, obstacle: String?) -> HeapGraph.Tasks {
        guard obstacle == nil else { return HeapGraph.Tasks(obstacle: obstacle) }
        let entries = memory.entries
        let numbers = Dictionary(entries.map { ($0.task.address, Int($0.task.id)) }) { first, _ in first }
        let children = Dictionary(grouping: entries.filter { $0.task.parent != 0 }) { $0.task.parent }
            .mapValues { $0.map { Int($0.task.id) }.sorted() }
        let parents = Dictionary(entries.map { ($0.task.address, $0.task.parent) }) { first, _ in first }
        let all = entries.map { entry in
            named(entry, numbers, children[entry.task.address] ?? [], parents)
        }
        return HeapGraph.Tasks(
            all: all.sorted { (Self.rank($0.state), $0.id) < (Self.rank($1.state), $1.id) },
            leftOut: Int(clamping: memory.pointer.pointee.left_out))
    }

    /// The place of a state in the order of the cases.
    private static func rank(_ state: HeapGraph.Task.State) -> Int {
        HeapGraph.Task.State.allCases.firstIndex(of: state) ?? 0
    }

    private func named(
        _ entry: TaskMemory.Entry, _ numbers: [UInt: Int], _ children: [Int], _ parents: [UInt: UInt]
    ) -> HeapGraph.Task {
        let task = entry.task
        let symbols = entry.frames.compactMap { lines.names.symbol($0) }.filter(Self.isFunction)
        let functions = symbols.filter { !Self.isOfRuntime($0) }.map { ($0, ClosureName($0)) }
        let frames = functions.filter { !$0.1.isThunk }
        let first = task.function == 0 ? nil : lines.names.symbol(task.function)
        let closure = ClosureName(first)
        // Task.sleep makes a second Task, which wakes the sleeping one.
        let isSleeping = (symbols + [first].compactMap(\.self)).contains { Self.isSleep($0.name) }
        let holds = entry.types.compactMap { lines.names.typeName($0) }.map { ShortTypeName.of($0.qualified) }
        return HeapGraph.Task(
            id: Int(task.id), state: state(task, isSleeping: isSleeping, parents), awaits: awaited(task, numbers),
            isCancelled: task.is_cancelled, parent: numbers[task.parent], children: children,
            name: closure.place.isEmpty ? "" : closure.brief, frames: Self.withoutRepetition(frames.map(\.1.brief)),
            isOfProgram: frames.contains { isOfProgram($0.0, $0.1) }, holds: holds.sorted())
    }

    /// Whether a symbol is that of a function of Swift at whose start the address is.
    private static func isFunction(_ symbol: HeapNames.NamedAddress) -> Bool {
        symbol.offset == 0 && symbol.mangledName.map(Demangler.isSwift) ?? false
    }

    /// Whether a function is in one of Swift's own libraries, which only pass a wait on.
    private static func isOfRuntime(_ symbol: HeapNames.NamedAddress) -> Bool {
        symbol.module.hasPrefix("libswift")
    }

    /// Whether a function is the program's.
    ///
    /// If its name does not tell the module, the loaded file counts.
    private func isOfProgram(_ symbol: HeapNames.NamedAddress, _ name: ClosureName) -> Bool {
        name.module.isEmpty ? !symbol.module.hasPrefix("lib") : lines.isOfProgram(module: name.module)
    }

    private func state(
        _ task: rp_listed_task, isSleeping: Bool, _ parents: [UInt: UInt]
    ) -> HeapGraph.Task.State {
        switch rp_task_state(UInt32(task.state)) {
        case RP_TASK_RUNNING: .running
        case RP_TASK_WAITS_FOR_EXECUTOR: task.awaited_type == 0 ? .ready : .actor
        case RP_TASK_AWAITS_TASK: parents[task.awaits] == task.address ? .child : .task
        case RP_TASK_AWAITS_GROUP: .child
        case RP_TASK_AWAITS_CONTINUATION: isSleeping ? .sleep : .continuation
        default: isSleeping ? .sleep : .suspended
        }
    }

    private func awaited(_ task: rp_listed_task, _ numbers: [UInt: Int]) -> String {
        if let number = numbers[task.awaits] { return "Task \(number)" }
        guard rp_task_state(UInt32(task.state)) == RP_TASK_WAITS_FOR_EXECUTOR, task.awaited_type != 0 else { return "" }
        return lines.names.typeName(task.awaited_type).map { ShortTypeName.of($0.qualified) } ?? ""
    }

    /// Whether a function is one of `Task.sleep`.
    private static func isSleep(_ name: String) -> Bool {
        name.contains("Task<") && name.contains("sleep")
    }

    /// An async function has a symbol for each part; two parts of the same function follow each other in a frame.
    private static func withoutRepetition(_ names: [String]) -> [String] {
        names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
    }
}
