import CRetainPaths
import LifetimeTracer

/// Asks the runtime for types by their mangled names, and only for those that it is known to survive.
///
/// A name that was not asked for before is tried in a copy of the process first; see ``ResolutionTrial``.
final class TypeResolver {
    /// Where a name is asked for.
    enum Mode {
        /// In the program: names that were not tried are left alone.
        case program
        /// In a copy: everything is asked for and written down.
        case trial(TrialJournal)
    }

    var mode = Mode.program
    var verdicts = NameVerdicts()
    /// The names of types that are known by a symbol alone, by the address of the symbol; `nil` where there is no such symbol.
    private(set) var symbolicNames: [UInt: MangledName?] = [:]
    private(set) var untriedNames = 0
    private var results: [NameVerdicts.Key: Metadata?] = [:]

    /// The type with a name; `nil` where there is none, or where it cannot be asked for.
    func type(named name: MangledName, in context: GenericContext) -> Metadata? {
        let key = NameVerdicts.Key(address: name.address &+ UInt(name.count) &<< 48, arguments: context.identity)
        if let known = results[key] { return known }
        let found: Metadata?
        switch (verdicts[key], mode) {
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
        // C's `char` is signed here; the bytes are the same.
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

    /// The name of the type that an accessor keeps to itself; see ``AccessorNames``, which only the program itself can ask.
    func symbolicName(of accessor: MangledName) -> MangledName? {
        if let known = symbolicNames[accessor.address] { return known }
        if case .trial(let journal) = mode { journal.want(symbolAt: accessor.address) }
        return nil
    }

    /// Takes in what a journal asked for.
    func setSymbolicName(_ name: MangledName?, at address: UInt) {
        symbolicNames[address] = .some(name)
    }
}
