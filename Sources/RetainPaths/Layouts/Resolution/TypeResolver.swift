import CRetainPaths
import LifetimeTracer

/// Resolves mangled names to types with the runtime, but only names that cannot crash the program.
///
/// A new name is tried in a throwaway process first; see ``ResolutionTrial``.
final class TypeResolver {
    /// The process in which names are resolved.
    enum Mode {
        /// In the program: names that were not tried are not resolved.
        case program
        /// In a throwaway process: all names that are not refused are resolved and recorded in the journal.
        case trial(TrialJournal)
    }

    var mode = Mode.program
    var screening = NameScreening()
    /// Names of types that only a symbol contains, by the symbol's address; `nil` if there is no such symbol.
    private(set) var symbolicNames: [UInt: MangledName?] = [:]
    private(set) var untriedNames = 0
    private var results: [NameScreening.Key: Metadata?] = [:]

    /// The type with a name; `nil` if there is none, or if the name must not be resolved.
    func type(named name: MangledName, in context: GenericContext) -> Metadata? {
        let key = NameScreening.Key(address: name.address &+ UInt(name.count) &<< 48, arguments: context.identity)
        if let known = results[key] { return known }
        let found: Metadata?
        switch (screening[key], mode) {
        case (.refused, _): return nil
        case (.answers, _): found = ask(name, context)
        case (nil, .program):
            untriedNames += 1
            return nil
        case (nil, .trial(let journal)):
            guard journal.begin(key) else { return nil }
            found = ask(name, context)
            journal.endLast()
        }
        results[key] = .some(found)
        return found
    }

    private func ask(_ name: MangledName, _ context: GenericContext) -> Metadata? {
        // C's `char` is signed, so the pointer's type changes. The bytes stay the same. The runtime uses the pointers
        // during the call only.
        let text = UnsafeRawPointer(name.start).assumingMemoryBound(to: CChar.self)
        let found: UnsafeRawPointer? =
            switch context {
            case .none: rp_type_in_context(text, name.count, nil, nil)
            case .type(let descriptor, let arguments, _):
                rp_type_in_context(
                    text, name.count, descriptor.pointer, arguments?.assumingMemoryBound(to: UnsafeRawPointer?.self))
            case .environment(let environment):
                environment.withPointers { rp_type_in_environment(text, name.count, $0, $1) }
            }
        return found.map(Metadata.init)
    }

    /// The name of a type that reflection does not see; see ``AccessorNames``.
    ///
    /// Only the program itself can look the name up, so a throwaway process requests it through the journal.
    func symbolicName(of accessor: MangledName) -> MangledName? {
        if let known = symbolicNames[accessor.address] { return known }
        if case .trial(let journal) = mode { journal.want(symbolAt: accessor.address) }
        return nil
    }

    /// Stores a name that a journal requested.
    func setSymbolicName(_ name: MangledName?, at address: UInt) {
        symbolicNames[address] = .some(name)
    }
}
