extension LifetimeRegistry {
    /// Sets the most live instances allowed for a type; more are reported as over budget.
    ///
    /// Budgets are checked once a second and at every ``check()``.
    ///
    /// - Parameters:
    ///   - budget: The most live instances allowed, from 0; `nil` removes the budget.
    ///   - type: The type itself, without its subclasses.
    /// - Throws: ``TracerError`` for a negative budget.
    public func setBudget(_ budget: Int?, for type: AnyClass) throws(TracerError) {
        if let budget, budget < 0 { throw .invalidCount("budget", budget) }
        let index = store.index(of: type)
        budgets.withLock { $0.setBudget(budget, for: index) }
        thread.wake(by: clock.now())
    }

    /// Sets the most live instances allowed for all types of a group together.
    ///
    /// - Parameters:
    ///   - budget: The most live instances allowed, from 0; `nil` removes the budget.
    ///   - group: The group; types join it with ``assign(_:toGroup:)``.
    /// - Throws: ``TracerError`` for a negative budget.
    public func setBudget(_ budget: Int?, forGroup group: String) throws(TracerError) {
        if let budget, budget < 0 { throw .invalidCount("budget", budget) }
        budgets.withLock { $0.setBudget(budget, forGroup: group) }
        thread.wake(by: clock.now())
    }

    /// Puts types into a group, and removes them from their previous groups.
    public func assign(_ types: AnyClass..., toGroup group: String) {
        let indices = types.map { store.index(of: $0) }
        budgets.withLock { budgets in
            for index in indices { budgets.assign(index, to: group) }
        }
    }
}
