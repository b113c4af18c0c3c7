/// The maximum ages of types.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct AgeLimitTable: LockedState {
    /// The most instances that are overdue because of their age at a time.
    static let overdueLimit = 10_000
    /// The shortest time between two searches for old instances.
    static let period = Duration.seconds(1)

    private var ages = RuledValues<TypeIndex, Duration>()
    /// When instances can next be too old; `nil` if no type has a maximum age.
    private(set) var nextLook: MonotonicTime?
    /// The number of instances that were found too old without room for them, each counted once per search.
    var dropped: Int = 0

    /// The maximum ages.
    var limits: [TypeIndex: Duration] { ages.inForce }

    /// Sets or removes the maximum age of a type.
    ///
    /// - Returns: Whether the maximum age is in force; `false` if a rule precedes it.
    mutating func set(_ age: Duration?, for type: TypeIndex, at now: MonotonicTime) -> Bool {
        ages.set(age, for: type)
        guard !ages.isRuled(type) else { return false }
        nextLook = limits.isEmpty ? nil : now
        return true
    }

    /// Sets the maximum age that a rule states, which precedes that of the code.
    ///
    /// - Returns: Whether the maximum age in force has changed.
    mutating func setRule(
        _ age: RegistryRules.Statement<Duration>, for type: TypeIndex, at now: MonotonicTime
    ) -> Bool {
        guard ages.setRule(age, for: type) else { return false }
        nextLook = limits.isEmpty ? nil : now
        return true
    }

    /// Puts the maximum ages of the code in force again.
    ///
    /// - Returns: The types whose maximum ages have changed.
    mutating func removeRules(at now: MonotonicTime) -> [TypeIndex] {
        let changed = ages.removeRules()
        if !changed.isEmpty { nextLook = limits.isEmpty ? nil : now }
        return changed
    }

    /// Plans the next search.
    ///
    /// - Parameter firstDue: When the first instance that is live now will be too old.
    mutating func plan(after now: MonotonicTime, firstDue: MonotonicTime?) {
        guard let shortest = limits.values.min() else {
            nextLook = nil
            return
        }
        // An instance that is born from now on is not too old before the shortest maximum age has passed.
        let next = min(firstDue ?? now + shortest, now + shortest)
        nextLook = max(next, now + Self.period)
    }
}
