/// The types whose instances are not traced, because a rule leaves them out.
///
/// Has no lock of its own: it is part of the registry's ``Catalog``. A type is judged when its first instance is born.
/// One that was traced stays traced, and one that was left out stays left out, whatever later rules say.
struct LeftOutTypes: Sendable {
    /// The positions of the patterns that match a type that was left out.
    private(set) var matches: Set<Int> = []

    /// The rules; `nil` if they leave no type out.
    private var rules: RegistryRules?
    private var names: [ObjectIdentifier: TypeName] = [:]
    private let limit: Int

    /// - Parameter limit: The most types that are left out; further ones are traced.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of types that were left out.
    var count: Int { names.count }

    mutating func set(_ rules: RegistryRules?) {
        self.rules = rules.flatMap { $0.leavesTypesOut ? $0 : nil }
        matches = Set(names.values.flatMap { rules?.ruling(on: $0).matches ?? [] })
    }

    /// Whether a type was left out.
    func contains(_ type: Any.Type) -> Bool { names[ObjectIdentifier(type)] != nil }

    /// Whether an instance that is being born is not traced.
    ///
    /// - Parameter wasBorn: Whether a birth of the type has been recorded.
    mutating func leaves(out type: Any.Type, wasBorn: Bool) -> Bool {
        if contains(type) { return true }
        guard let rules, !wasBorn, names.count < limit else { return false }
        let name = TypeName(of: type)
        let ruling = rules.ruling(on: name)
        guard ruling.leavesOut == true else { return false }
        names[ObjectIdentifier(type)] = name
        matches.formUnion(ruling.matches)
        return true
    }
}

extension InstanceStore {
    /// Sets the rules that leave types out.
    func setRules(_ rules: RegistryRules?) {
        catalog.withLock { $0.types.leftOut.set(rules) }
    }

    /// Whether the rules leave a type out.
    func leavesOut(_ type: Any.Type) -> Bool {
        catalog.withLock { $0.types.leavesOut(type) }
    }

    /// The number of types that were left out, and the positions of the patterns that match them.
    func leftOutTypes() -> (count: Int, matches: Set<Int>) {
        catalog.withLock { ($0.types.leftOut.count, $0.types.leftOut.matches) }
    }

    /// The types from a position on, without their counters.
    func types(from position: Int) -> [TypeTable.Entry] {
        catalog.withLock { Array($0.types.entries[position...]) }
    }
}
