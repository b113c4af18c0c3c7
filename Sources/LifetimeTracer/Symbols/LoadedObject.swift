#if os(Linux) && _pointerBitWidth(_64)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A loaded object with its symbols, which are read when they are first asked for.
final class LoadedObject: Sendable {
    /// How far the reading has come.
    private enum Reading: LockedState {
        case notBegun
        /// By a thread of that process; a child of it does not have the thread.
        case begun(by: pid_t)
        case done(SymbolTable)
        case refused(reason: String)
    }

    let identity: ObjectIdentity
    /// The name for people.
    let module: String

    private let reading = Monitor<Reading>(.notBegun)

    init(_ identity: ObjectIdentity) {
        self.identity = identity
        var path = identity.path.isEmpty ? LoadedObjects.programPath ?? "program" : identity.path
        // The kernel's mark of a file that was removed or replaced.
        let deleted = " (deleted)"
        if identity.path.isEmpty, path.hasSuffix(deleted) { path.removeLast(deleted.count) }
        module = path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The path under which the loader can be asked to keep the object; `nil` for the program, which is never unloaded.
    var unloadablePath: String? { identity.path.isEmpty ? nil : identity.path }

    /// The address in the file of an address in the process.
    func fileAddress(of address: UInt) -> UInt { address &- identity.bias }

    /// The bytes of the symbols that were read; `nil` where none are.
    var tableBytes: Int? {
        reading.withLock { if case .done(let table) = $0 { table.bytes } else { nil } }
    }

    /// Why the symbols cannot be used; `nil` where they can, or nobody has asked.
    var refusal: String? {
        reading.withLock { if case .refused(let reason) = $0 { reason } else { nil } }
    }

    /// Whether the symbols were read, or cannot be used for good.
    var isDecided: Bool {
        reading.withLock { reading in
            switch reading {
            case .done, .refused: true
            case .notBegun, .begun: false
            }
        }
    }

    /// The symbols; `nil` where they cannot be used.
    ///
    /// The first call reads the file, some tens of milliseconds for 20 MB, while other callers wait.
    ///
    /// - Parameter room: Bytes that may be taken; asked by the caller that reads. Two that read at once may each take as many.
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
        // The link stays with the file that is being run, also when another has taken its place.
        let file = try ElfSymbols(path: identity.path.isEmpty ? "/proc/self/exe" : identity.path)
        try file.check(isBuildOf: identity)
        let table = try file.table(limits: limits)
        guard table.bytes <= room else {
            throw UnusableSymbols(
                "The symbols of '\(module)' take \(table.bytes) bytes, and \(room) are left for all.",
                hint: "If that is right, raise the limit.")
        }
        return table
    }
}
#endif
