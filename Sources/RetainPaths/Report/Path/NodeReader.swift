import LifetimeTracer
import TracerBase

/// Turns the steps of a finding into named nodes.
struct NodeReader {
    let names: HeapNames
    /// The names of the threads with roots on their stacks.
    let threads: [Int: String]
    /// Modules of libraries, whose functions name a task only if none of the program's does.
    var libraryModules = KnownTypes.libraries

    /// Names one node.
    ///
    /// - Parameters:
    ///   - code: The function that is stored beside the reference to this node, or 0.
    ///   - slice: The elements that the slice before this node shows of it, if there is a slice.
    func node(_ step: HeapAnswer.Step, code: UInt = 0, slice: Range<Int>? = nil) -> PathNode {
        var node = bareNode(step, code: code)
        node.isReached = step.isReached
        node.keepsPointer = step.edge == .raw && step.isPrecise
        switch node.role {
        case .root:
            // Unless its reference is contested, a Swift variable holds the object that it points to, even if no layout
            // confirms the reference.
            let isVariable = step.node == .rootData && RootName(names.symbol(step.address)).isSwiftVariable
            node.isCertain = step.isPrecise || isVariable && !step.isContested
            setMembers(of: step, &node)
        case .storage:
            node.element = Self.element(step, of: node.type)
            if let slice, let index = step.index, !slice.contains(index) {
                node.element = "[\(index), outside the slice]"
                node.isOutsideSlice = true
            }
            setMembers(of: step, &node)
            node.isCertain = step.edge == nil || step.isPrecise
        case .task where step.isAwaited:
            // The runtime's list of the tasks that await this one, and a child's reference to its parent.
            node.isCertain = true
            setMembers(of: step, &node)
        default:
            // The elements of a hash tree have keys, and those of a ManagedBuffer have places.
            if step.key != nil || step.index != nil && step.isPrecise {
                node.element = Self.element(step, of: node.type)
            }
            setMembers(of: step, &node)
            node.isCertain = step.edge == nil || step.isPrecise
        }
        return node
    }

    /// The function beside the reference from a step to the next step; 0 if there is none.
    ///
    /// In memory without a known layout, it is the word before the reference, if that word is a closure's function. A
    /// function that C calls, beside its argument, is none.
    func function(of step: HeapAnswer.Step?) -> UInt {
        guard let step, step.code != 0, let edge = step.edge else { return 0 }
        switch edge {
        case .function: return ClosureName(names.symbol(step.code)).isCalledByC ? 0 : step.code
        case .raw, .conservative:
            return ClosureName(names.symbol(step.code)).takesContext ? step.code : 0
        case .strong, .existentialBox: return 0
        }
    }

    /// The node of a closure without a context.
    ///
    /// A closure that captures a single object uses the object itself as its context.
    func closureWithoutContext(code: UInt, holding step: HeapAnswer.Step, isCertain: Bool) -> PathNode {
        let name = ClosureName(names.symbol(code))
        return PathNode(
            role: name.isThunk ? .thunk : .closure, address: step.address, name: name.text, closure: name,
            kind: .closure,
            isCertain: isCertain, isReached: step.isReached)
    }

    /// The variable whose value is an object in an image's data.
    ///
    /// The object lives as long as the variable.
    func variable(ofStaticObject step: HeapAnswer.Step) -> PathNode {
        let name = RootName(ofStaticObject: names.symbol(step.address))
        var node = PathNode(role: .root, address: step.address, name: name.text, kind: .global, isReached: true)
        node.variableModule = name.module
        return node
    }

    private func bareNode(_ step: HeapAnswer.Step, code: UInt) -> PathNode {
        switch step.node {
        case .rootData:
            variable(step)
        case .rootThreadLocal(let thread):
            root(.threadLocal, "a variable of \(threadName(thread))", step)
        case .rootAnonymous:
            root(.otherMemory, "memory outside the heap", step)
        case .rootStack(let thread):
            root(.stack, "\(place(of: step)) of \(threadName(thread))\(functionOnStack(step))", step)
        case .rootTask:
            root(.stack, "the requesting Task", step)
        case .rootWaitingTask:
            root(.stack, "a Task awaiting the requesting Task", step)
        case .object, .staticObject:
            object(step)
        case .closure:
            closure(step, code: code)
        case .genericBox:
            box("box of \(typeName(step).map { ShortTypeName.of($0.qualified) } ?? "a value")", step)
        case .errorBox:
            box(Self.errorBox, step)
        case .task:
            task(step)
        case .block:
            block(step)
        }
    }

    /// The node of a task.
    ///
    /// A task's layout confirms two kinds of references. The reference to the task's closure is that of a function, and
    /// only a task that has not ended has it. The others are in the result or the error.
    private func task(_ step: HeapAnswer.Step) -> PathNode {
        var node = PathNode(role: .task, address: step.address, name: PathNode.task, kind: .task)
        if let maker = continuation(of: step.address) {
            node.awaitedContinuation = maker.name
            node.awaitsResumption = maker.mustResume
            node.isCancelled = names.isCancelled(step.address)
            node.handlesCancellation = maker.handlesCancellation
        }
        node.isAwaited = step.isAwaited
        node.hasEnded = step.isPrecise && (step.edge == .strong || step.edge == .existentialBox)
        return withFunction(node, of: step)
    }

    private func variable(_ step: HeapAnswer.Step) -> PathNode {
        let name = RootName(names.symbol(step.address))
        var node = root(.global, name.text, step)
        node.variableModule = name.module
        // The word lies in a property of the variable's object or value, but the type is not known.
        if name.isOfObject || (name.isOfValue && step.names.isEmpty) { node.element = ".…" }
        node.isNamedVariable = name.isSwiftVariable || RootName.isWellKnown(name.text)
        return node
    }

    private func root(_ kind: RetainStep.Kind, _ name: String, _ step: HeapAnswer.Step) -> PathNode {
        PathNode(role: .root, address: step.address, name: name, kind: kind)
    }

    /// The name of the box of an error.
    static let errorBox = "box of an error"

    private func box(_ name: String, _ step: HeapAnswer.Step) -> PathNode {
        PathNode(role: .box, address: step.address, name: name, kind: .box)
    }

    private func object(_ step: HeapAnswer.Step) -> PathNode {
        let type = typeName(step)?.qualified ?? ""
        if let storage = KnownTypes.storage(of: type) {
            return PathNode(
                role: .storage, address: step.address, name: ShortTypeName.of(storage), type: type, kind: .object)
        }
        let name = type.isEmpty ? "object of an unknown type" : ShortTypeName.of(type)
        return PathNode(
            role: KnownTypes.isPlumbing(type) ? .plumbing : .object, address: step.address,
            name: KnownTypes.wellKnownName(of: type) ?? name, type: type, kind: .object)
    }

    /// The node of a closure's context.
    ///
    /// Without a function beside it, it is the box of a variable, or a closure of unknown function.
    private func closure(_ step: HeapAnswer.Step, code: UInt) -> PathNode {
        let code = code == 0 ? step.ownCode : code
        guard code != 0 else { return box("context of a closure or variable", step) }
        let name = ClosureName(names.symbol(code))
        return PathNode(
            role: name.isThunk ? .thunk : .closure, address: step.address, name: name.text, closure: name,
            hasContext: true, kind: .closure)
    }

    /// The node of a block.
    ///
    /// If the block has a class, its address is in `metadata`.
    private func block(_ step: HeapAnswer.Step) -> PathNode {
        let firstWord = step.metadata == 0 ? nil : names.symbol(step.metadata)
        let name = BlockName(size: step.size, firstWord: firstWord)
        var node = PathNode(role: .block(name.kind), address: step.address, name: name.text, kind: .block)
        node.isTimer = BlockName.isTimer(firstWord)
        node.isDelayedCall = BlockName.isDelayedCall(firstWord)
        return name.kind == .taskMemory ? withFunction(node, of: step) : node
    }

    /// Where a thread holds the next node.
    private func place(of step: HeapAnswer.Step) -> String {
        step.isInRegister ? "register" : "stack"
    }

    /// The function in whose frame a stack holds the next node, for the name of the stack; empty if it is not known.
    private func functionOnStack(_ step: HeapAnswer.Step) -> String {
        // A call may be the last instruction of a function, so that the address behind it is that of the next function.
        let functions = step.functions.map { names.symbol($0 &- 1) }
        let name = StackFunctionName(functions, isInCallee: step.isInCallee, libraries: libraryModules)
        return name.map { ", \($0.text)" } ?? ""
    }

    /// The node of a task or its memory, named by the function that holds the next node in a variable.
    private func withFunction(_ node: PathNode, of step: HeapAnswer.Step) -> PathNode {
        guard let first = step.functions.first else { return node }
        var node = node
        node.kind = .task
        node.name = PathNode.task
        let functions = step.functions.dropFirst(step.isTaskLocal ? 1 : 0)
            .compactMap { AsyncFunctionName(names.symbol($0)) }.filter(\.isShown)
        let function = functions.first { $0.isOfProgram(libraries: libraryModules) } ?? functions.first
        if let name = function?.closure.brief { node.name += " in \(name)" }
        if step.isTaskLocal {
            node.name += taskLocal(first)
        } else {
            node.function = function?.closure.brief
        }
        return node
    }

    /// The end of a task's name, for the variable whose task-local value holds the next node.
    private func taskLocal(_ address: UInt) -> String {
        let variable = RootName(address == 0 ? nil : names.symbol(address))
        let isNamed = variable.isSwiftVariable || variable.isOfObject
        return " with a task-local value" + (isNamed ? " of \(variable.text)" : "")
    }

    /// The function that made the continuation that a task awaits; `nil` if the task awaits something else.
    ///
    /// Functions of the standard library that make continuations for other functions are skipped. A program must resume
    /// the continuations that it made. If one of its functions handles the task's cancellation, that resumes them, too,
    /// unless the task was cancelled already.
    private func continuation(of task: UInt) -> (name: String, mustResume: Bool, handlesCancellation: Bool)? {
        let codes = names.awaitedContinuation(task)
        for code in codes {
            guard let symbol = names.symbol(code), symbol.offset == 0,
                symbol.mangledName.map(Demangler.isSwift) ?? false
            else { return nil }
            let name = ClosureName(symbol)
            guard !name.isThunk, !Self.makersOfContinuations.contains(where: name.place.hasPrefix) else { continue }
            let isOfProgram = AsyncFunctionName(symbol)?.isOfProgram(libraries: libraryModules) ?? false
            let handlesCancellation = codes.contains {
                ClosureName(names.symbol($0)).place.hasPrefix("withTaskCancellationHandler")
            }
            return (
                name.brief, isOfProgram && (!handlesCancellation || names.isCancelled(task)),
                isOfProgram && handlesCancellation
            )
        }
        return nil
    }

    private static let makersOfContinuations = [
        "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
        "withUnsafeThrowingContinuation",
    ]

    private func typeName(_ step: HeapAnswer.Step) -> TypeName? {
        step.metadata == 0 ? nil : names.typeName(step.metadata)
    }

    /// The number of a thread with its name.
    ///
    /// The kernel keeps 15 bytes of a name, and threads may have equal names.
    private func threadName(_ number: Int) -> String {
        guard number != 0 else { return "a thread" }
        guard let name = threads[number], !name.isEmpty else { return "thread \(number)" }
        return "thread \(number) ('\(name.withEscapes())')"
    }
}
