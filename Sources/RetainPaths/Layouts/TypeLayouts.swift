import CRetainPaths
import LifetimeTracer

/// The layouts of types: where in an object the references are, as the search in a copy of the process reads it.
///
/// Layouts are made of the metadata that the compiler and the runtime left, when the search meets a type for the first time, and stay.
/// What the runtime might not survive is tried in a copy of the process first, so ``compile(metadata:)`` takes some milliseconds
/// beside its work. It may be called from any thread; callers take turns.
final class TypeLayouts: Sendable {
    /// The one of the process: types are the same for everybody.
    static let shared = TypeLayouts()

    /// Something of which the search wants a layout.
    private enum Item {
        case metadata(Metadata)
        case context(Metadata, bindings: [UInt])
        /// A variable with the name of its type, if its symbol tells it.
        case variable(Range<UInt>, MangledName?)

        var key: UInt {
            switch self {
            case .metadata(let metadata): metadata.address
            case .context(let metadata, let bindings):
                bindings.withUnsafeBufferPointer {
                    rp_context_key(metadata.pointer, $0.baseAddress, UInt32($0.count))
                }
            case .variable(let range, _): rp_variable_key(range.lowerBound)
            }
        }
    }

    private struct State: LockedState {
        /// `nil` while somebody works with it.
        var compiler: LayoutCompiler?
        /// The same, for those who only want to look at the table.
        var table: LayoutTable
        var statistics = LayoutStatistics()
        /// The process that this is about: in a child of `fork` the one who works may have vanished.
        var generation = ForkGeneration.current

        init() {
            let compiler = LayoutCompiler()
            self.compiler = compiler
            table = compiler.table
        }
    }

    private let state = Monitor(State())

    /// The table, which stays where it is; `nil` where there was no memory for it.
    ///
    /// It must not be read while something is compiled, except in a copy of the process.
    var table: UnsafePointer<rp_layouts>? {
        state.withLock { state in
            if state.table.memory == nil, state.compiler != nil { state = State() }
            return state.table.memory.map { UnsafePointer($0) }
        }
    }

    /// What was compiled so far.
    var statistics: LayoutStatistics { state.withLock { $0.statistics } }

    /// A name out of the table.
    func name(_ index: rp_name_index) -> String {
        state.withLock { $0.table }.name(index)
    }

    /// Makes the layouts of objects and values with these metadata, as far as there are none yet.
    ///
    /// The addresses must be those of readable memory that looks like metadata; that it is, is tried.
    ///
    /// - Returns: 0, or the error number of the system where it refused a copy of the process. Then nothing was made.
    @discardableResult
    func compile(metadata: [UInt]) -> CInt {
        compile { _ in metadata.compactMap { Metadata(address: $0).map { .metadata($0) } } }
    }

    /// Makes the layouts of closures' contexts with certain generic arguments, as far as there are none yet.
    ///
    /// - Returns: What ``compile(metadata:)`` does.
    @discardableResult
    func compileContexts(_ contexts: [(metadata: UInt, bindings: [UInt])]) -> CInt {
        compile { _ in
            contexts.compactMap { metadata, bindings in
                Metadata(address: metadata).map { .context($0, bindings: bindings) }
            }
        }
    }

    /// Makes the layouts of global and static variables, as far as there are none yet.
    ///
    /// - Parameter variables: Where each is, and its symbol, if it is known.
    /// - Returns: What ``compile(metadata:)`` does.
    @discardableResult
    func compileVariables(_ variables: [(range: Range<UInt>, symbol: String?)]) -> CInt {
        compile { compiler in
            variables.map { range, symbol in
                .variable(range, symbol.flatMap { compiler.accessorNames.name(ofTypeOfVariable: $0) })
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
            // The thread that worked with it is in the parent, and what it left is half done.
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
        // What was not tried is not touched, and may be tried another time.
        case .unavailable(let error): return error
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
    /// Enters the layout of objects or values.
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

    /// Enters something that is to be looked through.
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
        current.refused = resolver.verdicts.refusedCount
        current.untried = resolver.untriedNames
        current.dropped = table.dropped
        return current
    }
}
