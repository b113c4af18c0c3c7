import CRetainPaths
import LifetimeTracer

/// The layouts of types: the positions of references in an object, in the form that the search in the frozen copy
/// reads.
///
/// A layout is compiled from the metadata of the compiler and the runtime when the search first meets the type, and is
/// never removed. Names and metadata that could abort the runtime are tried in a throwaway process first, so
/// ``compile(metadata:)`` takes some additional milliseconds. Any thread may call it; callers take turns.
final class TypeLayouts: Sendable {
    /// The layouts of the process.
    ///
    /// All searches share them.
    static let shared = TypeLayouts()

    /// A type, context or variable that needs a layout.
    private enum Item {
        case metadata(Metadata)
        case context(Metadata, bindings: [UInt])
        /// A variable, and the name of its type if the symbol includes it.
        case variable(Range<UInt>, MangledName?)
        /// A variable that contains an object, and the name of the object's class.
        case object(Range<UInt>, MangledName)

        var key: UInt {
            switch self {
            case .metadata(let metadata): metadata.address
            case .context(let metadata, let bindings):
                bindings.withUnsafeBufferPointer {
                    rp_context_key(metadata.pointer, $0.baseAddress, UInt32($0.count))
                }
            case .variable(let range, _), .object(let range, _): rp_variable_key(range.lowerBound)
            }
        }
    }

    private struct State: LockedState {
        /// `nil` while a thread uses the compiler.
        var compiler: LayoutCompiler?
        /// The compiler's table, for readers, who do not need the compiler.
        var table: LayoutTable
        var statistics = LayoutStatistics()
        /// The process to which the state belongs.
        ///
        /// In a child of `fork`, the thread that used the compiler may not exist.
        var generation = ForkGeneration.current

        init() {
            let compiler = LayoutCompiler()
            self.compiler = compiler
            table = compiler.table
        }
    }

    private let state = Monitor(State())

    /// The table, which stays at its address; `nil` if there is no memory for it.
    ///
    /// It must not be read while a layout is being compiled, except in a frozen copy.
    var table: UnsafePointer<rp_layouts>? {
        state.withLock { state in
            if state.table.memory == nil, state.compiler != nil { state = State() }
            return state.table.memory.map { UnsafePointer($0) }
        }
    }

    /// The statistics of the compiled layouts.
    var statistics: LayoutStatistics { state.withLock { $0.statistics } }

    /// A name from the table.
    func name(_ index: rp_name_index) -> String {
        state.withLock { $0.table }.name(index)
    }

    /// Compiles the layouts of objects and values with the given metadata, unless they exist.
    ///
    /// The addresses must be those of readable memory that looks like metadata. A throwaway process tries whether it
    /// can be read as metadata.
    ///
    /// - Returns: 0, or the system's error number if it refused to copy the process. In that case nothing was compiled.
    @discardableResult
    func compile(metadata: [UInt]) -> CInt {
        compile { _ in metadata.compactMap { Metadata(address: $0).map { .metadata($0) } } }
    }

    /// Compiles the layouts of closure contexts with the given generic arguments, unless they exist.
    ///
    /// - Returns: See ``compile(metadata:)``.
    @discardableResult
    func compileContexts(_ contexts: [(metadata: UInt, bindings: [UInt])]) -> CInt {
        compile { _ in
            contexts.compactMap { metadata, bindings in
                Metadata(address: metadata).map { .context($0, bindings: bindings) }
            }
        }
    }

    /// Compiles the layouts of global and static variables, unless they exist.
    ///
    /// - Parameter variables: The place of each variable, and its symbol if it is known.
    /// - Returns: See ``compile(metadata:)``.
    @discardableResult
    func compileVariables(_ variables: [(range: Range<UInt>, symbol: String?)]) -> CInt {
        compile { compiler in
            variables.map { range, symbol in
                if let name = symbol.flatMap({ compiler.accessorNames.name(ofClassOfObject: $0) }) {
                    return .object(range, name)
                }
                return .variable(range, symbol.flatMap { compiler.accessorNames.name(ofTypeOfVariable: $0) })
            }
        }
    }

    private func compile(_ makeItems: (LayoutCompiler) -> [Item]) -> CInt {
        let compiler = takeCompiler()
        let new = makeItems(compiler).filter { compiler.table.find($0.key) == 0 }
        let error = new.isEmpty ? 0 : Self.compile(new, with: compiler)
        let statistics = compiler.currentStatistics
        state.withLock { state in
            state.statistics = statistics
            state.compiler = compiler
        }
        return error
    }

    private func takeCompiler() -> LayoutCompiler {
        state.wait { state in
            if let compiler = state.compiler {
                state.compiler = nil
                state.generation = .current
                return .holds(compiler)
            }
            guard state.generation != .current else { return .waits(atMost: nil) }
            // The thread that used the compiler exists in the parent only, and its work is incomplete.
            state = State()
            return state.compiler.take().map { .holds($0) } ?? .waits(atMost: nil)
        }
    }

    private static func compile(_ items: [Item], with compiler: LayoutCompiler) -> CInt {
        var refused: Set<Int> = []
        func work(on index: Int) {
            switch items[index] {
            case _ where refused.contains(index): break
            case .metadata(let metadata): compiler.compile(metadata)
            case .context(let metadata, let bindings): _ = compiler.closureContext(metadata, bindings: bindings)
            case .variable(let range, let type): compiler.compileVariable(range, type)
            case .object(let range, let aClass): compiler.compileObject(range, aClass)
            }
        }

        var trial = ResolutionTrial(
            resolver: compiler.resolver, refuse: { refused.insert($0) },
            lookUp: { compiler.accessorNames.name(ofReferenceAt: $0) })
        let outcome = trial.run { journal in
            for index in items.indices {
                journal.setItem(index)
                work(on: index)
            }
        }
        compiler.statistics.copies += trial.copies
        compiler.statistics.refusedItems += refused.count
        switch outcome {
        case .complete: break
        // Nothing was compiled, so all items can be tried again later.
        case .unavailable(let error): return error.number
        case .exhausted(let reached): refused.formUnion(items.indices.dropFirst(reached))
        }
        for index in items.indices {
            work(on: index)
            if refused.contains(index) { compiler.enterUnknown(key: items[index].key) }
        }
        return 0
    }
}

extension LayoutCompiler {
    /// Adds the layout of objects or values with the given metadata.
    fileprivate func compile(_ metadata: Metadata) {
        guard table.find(metadata.address) == 0 else { return }
        switch metadata.kind {
        case .aClass: _ = object(metadata)
        case .context: _ = closureContext(metadata)
        case .genericBox: _ = genericBox(metadata)
        case .errorBox: _ = errorBox(metadata)
        case .task, .job: _ = unknownObject(metadata, RP_LAYOUT_TASK)
        case .foreignClass, .objectiveCWrapper, nil: enterUnknown(key: metadata.address)
        default: _ = index(of: metadata)
        }
    }

    /// Adds a layout that makes the search scan the object or variable conservatively.
    func enterUnknown(key: UInt) {
        guard table.find(key) == 0 else { return }
        var entry = rp_layout()
        entry.kind = UInt8(RP_LAYOUT_CLASS.rawValue)
        entry.setFlag(RP_LAYOUT_IS_PARTLY_CONSERVATIVE, true)
        statistics.types += 1
        statistics.conservative += 1
        _ = table.add(
            key: key, entry, [Slot(kind: .conservative, offset: ClassMetadata.headerSize, length: 0)])
    }

    fileprivate var currentStatistics: LayoutStatistics {
        var current = statistics
        current.refused = resolver.screening.refusedCount
        current.untried = resolver.untriedNames
        current.dropped = table.dropped
        return current
    }
}
