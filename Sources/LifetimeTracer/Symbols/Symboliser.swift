/// Finds the names of functions, closures and variables by their addresses in the process.
///
/// Takes no time and no memory before the first use. The first address in an object makes it read the object's symbols,
/// which are kept (16 bytes a symbol, plus the names). Looking up a known address again costs one table lookup. Objects
/// that are loaded or unloaded later are noticed. The symboliser can be used from any thread, but not from a signal
/// handler or while a library's initializers run.
package final class Symboliser: Sendable {
    /// The symboliser of the process, shared because its tables are large.
    package static let shared = Symboliser()

    let limits: SymbolLimits
    private let state = Locked(State())

    /// Creates a symboliser with tables of its own.
    package init(limits: SymbolLimits = SymbolLimits()) {
        self.limits = limits
    }

    /// The contents of the symboliser, and the data that it left out.
    package var statistics: SymboliserStatistics {
        let state = state.withLock { $0 }
        var statistics = SymboliserStatistics()
        statistics.cachedAddresses = state.answers.count
        statistics.uncachedLookups = state.uncachedLookups
        #if os(Linux) && _pointerBitWidth(_64)
        let tables = state.map.objects.compactMap(\.table)
        statistics.tables = tables.count
        statistics.tableBytes = tables.reduce(0) { $0 + $1.bytes }
        statistics.refusals = state.map.objects.compactMap(\.refusal)
        statistics.unlistedObjects = state.map.unlisted
        #endif
        return statistics
    }

    /// The symbol tables that were read.
    var tables: [SymbolTable] {
        #if os(Linux) && _pointerBitWidth(_64)
        state.withLock { $0.map.objects }.compactMap(\.table)
        #else
        []
        #endif
    }

    /// Returns the symbol at an address; `nil` if no object is loaded there.
    package func symbol(at address: UInt) -> Symbol? {
        symbols(at: CollectionOfOne(address))[0]
    }

    /// Returns the calling functions for the return addresses of a stack; `nil` for an address without a loaded object.
    ///
    /// A return address is the one after the call. If the call never returns, that may be the first address of another
    /// function.
    package func symbols(forReturnAddresses addresses: [UInt]) -> [Symbol?] {
        symbols(at: addresses.lazy.map { $0 == 0 ? 0 : $0 - 1 }).map { $0?.advanced(by: 1) }
    }

    private struct State: LockedState {
        var answers: [UInt: Symbol?] = [:]
        var uncachedLookups = 0
        #if os(Linux) && _pointerBitWidth(_64)
        var map = AddressMap()
        #endif

        mutating func keep(_ symbol: Symbol?, at address: UInt, limit: Int) {
            guard answers.count < limit || answers[address] != nil else {
                uncachedLookups += 1
                return
            }
            answers[address] = .some(symbol)
        }
    }
}

#if os(Linux) && _pointerBitWidth(_64)
extension Symboliser {
    private enum Finding {
        case known(Symbol?)
        case inObject(LoadedObject)
        case nowhere
    }

    private func symbols(at addresses: some Sequence<UInt>) -> [Symbol?] {
        let generation = updateObjects()
        return addresses.map { address in
            let finding: Finding = state.withLock { state in
                if let known = state.answers[address] { return .known(known) }
                return state.map.object(at: address).map { .inObject($0) } ?? .nowhere
            }
            switch finding {
            case .known(let symbol): return symbol
            case .inObject(let object):
                let symbol = look(address, in: object)
                return object.isDecided ? keep(symbol, at: address, in: generation) : symbol
            case .nowhere: return keep(nil, at: address, in: generation)
            }
        }
    }

    /// Lists the loaded objects again if some were loaded or unloaded, and drops the cached symbols that may now be
    /// wrong.
    private func updateObjects() -> LoadedObjects.Generation {
        let current = LoadedObjects.Generation.current
        if state.withLock({ $0.map.generation == current }) { return current }
        let loaded = LoadedObjects(atMost: limits.objects)
        state.withLock { state in
            if state.map.install(loaded) { state.answers = [:] }
        }
        return loaded.generation
    }

    /// Caches a symbol, but only if its object is still in the list.
    private func keep(_ symbol: Symbol?, at address: UInt, in generation: LoadedObjects.Generation) -> Symbol? {
        state.withLock { state in
            if state.map.generation == generation { state.keep(symbol, at: address, limit: limits.cachedAddresses) }
        }
        return symbol
    }

    private func look(_ address: UInt, in object: LoadedObject) -> Symbol {
        let fileAddress = object.fileAddress(of: address)
        var found: (name: String, offset: UInt)?
        if let table = symbols(of: object) {
            found = table.find(UInt64(fileAddress)).map { ($0.name, fileAddress - UInt($0.start)) }
        }
        if found == nil, let exported = LoaderSymbol(at: address, inUnloadableObject: object.unloadablePath)?.symbol {
            found = (exported.name, address &- exported.start)
        }
        return Symbol(
            name: found.map { Demangler.readableName(of: $0.name) }
                ?? Symbol.unnamed(in: object.module, at: fileAddress),
            mangledName: found?.name, module: object.module, offset: found?.offset ?? 0, moduleOffset: fileAddress)
    }

    private func symbols(of object: LoadedObject) -> SymbolTable? {
        object.symbols(limits: limits) {
            let objects = state.withLock { $0.map.objects }
            return limits.tableBytes - objects.reduce(0) { $0 + ($1.table?.bytes ?? 0) }
        }
    }
}
#else
extension Symboliser {
    // On this platform only the loader is asked: it knows the exported symbols, and on Darwin all that were not
    // stripped.
    private func symbols(at addresses: some Sequence<UInt>) -> [Symbol?] {
        addresses.map { address in
            if let known = state.withLock({ $0.answers[address] }) { return known }
            let symbol = LoaderSymbol(at: address, inUnloadableObject: nil).map { found in
                let module = found.path.split(separator: "/").last.map(String.init) ?? found.path
                return Symbol(
                    name: found.symbol.map { Demangler.readableName(of: $0.name) }
                        ?? Symbol.unnamed(in: module, at: address &- found.base),
                    mangledName: found.symbol?.name, module: module,
                    offset: found.symbol.map { address &- $0.start } ?? 0, moduleOffset: address &- found.base)
            }
            state.withLock { $0.keep(symbol, at: address, limit: limits.cachedAddresses) }
            return symbol
        }
    }
}
#endif
