#if os(Linux) && _pointerBitWidth(_64)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A loaded object with its symbols, which are read on first use.
final class LoadedObject: Sendable {
    /// The progress of reading the symbols.
    private enum Reading: LockedState {
        case notBegun
        /// Reading was begun by a thread of this process; a fork child does not have the thread.
        case begun(by: pid_t)
        case done(SymbolTable)
        case refused(reason: String)
    }

    let identity: ObjectIdentity
    /// The human-readable name.
    let module: String

    private let reading = Monitor<Reading>(.notBegun)

    init(_ identity: ObjectIdentity) {
        self.identity = identity
        var path = identity.path.isEmpty ? LoadedObjects.programPath ?? "program" : identity.path
        // The kernel's marker for a file that was removed or replaced.
        let deleted = " (deleted)"
        if identity.path.isEmpty, path.hasSuffix(deleted) { path.removeLast(deleted.count) }
        module = path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The path by which the loader can be asked to keep the object loaded; `nil` for the program, which is never
    /// unloaded.
    var unloadablePath: String? { identity.path.isEmpty ? nil : identity.path }

    /// Returns the address in the file for an address in the process.
    func fileAddress(of address: UInt) -> UInt { address &- identity.bias }

    /// The symbol table; `nil` if the symbols were not read.
    var table: SymbolTable? {
        reading.withLock { if case .done(let table) = $0 { table } else { nil } }
    }

    /// Why the symbols cannot be used; `nil` if they can, or were never requested.
    var refusal: String? {
        reading.withLock { if case .refused(let reason) = $0 { reason } else { nil } }
    }

    /// Whether the symbols have been read or are permanently unusable.
    var isDecided: Bool {
        reading.withLock { reading in
            switch reading {
            case .done, .refused: true
            case .notBegun, .begun: false
            }
        }
    }

    /// Returns the symbols; `nil` if they cannot be used.
    ///
    /// The first call reads the file, which takes some tens of milliseconds for 20 MB, while other callers wait.
    ///
    /// - Parameter room: Returns the number of bytes that may be used; called by the caller that reads. Two concurrent
    ///   readers may each use that many.
    func symbols(limits: SymbolLimits, room: () -> Int) -> SymbolTable? {
        let process = getpid()
        let known: SymbolTable?? = reading.wait { reading in
            switch reading {
            case .done(let table): return .holds(.some(table))
            case .refused: return .holds(.some(nil))
            case .begun(by: process): return .waits(atMost: nil)
            case .notBegun, .begun:
                reading = .begun(by: process)
                return .holds(nil)
            }
        }
        if let known { return known }
        do throws(UnusableSymbols) {
            let table = try read(limits: limits, room: room())
            reading.withLock { $0 = .done(table) }
            return table
        } catch {
            reading.withLock { $0 = error.isTemporary ? .notBegun : .refused(reason: error.description) }
            return nil
        }
    }

    private func read(limits: SymbolLimits, room: Int) throws(UnusableSymbols) -> SymbolTable {
        // The link refers to the running file even if another file has replaced it at its path.
        let file = try ElfSymbols(path: identity.path.isEmpty ? "/proc/self/exe" : identity.path)
        try file.check(isBuildOf: identity)
        let table = try file.table(limits: limits)
        guard table.bytes <= room else {
            throw UnusableSymbols(
                "The symbols of '\(module)' take \(table.bytes) bytes; the limit for all symbols leaves \(room) bytes.",
                hint: "If the file is intact, raise the limit.")
        }
        return table
    }
}
#endif
