extension LifetimeRegistry {
    /// Expects a fixed number of live instances of one type for each live instance of another.
    ///
    /// ```swift
    /// registry.expect(1, of: ViewModel.self, forEach: Screen.self, because: "a screen has one view model")
    /// ```
    /// Checked once a second and at every ``check()``; reported when broken for longer than
    /// ``RegistryConfiguration/invariantGrace``.
    ///
    /// - Parameters:
    ///   - count: The expected number for each instance of `each`, from 0.
    ///   - type: The type whose instances are counted.
    ///   - each: The type whose live instances determine the expected total.
    ///   - reason: A human-readable reason for the invariant.
    /// - Throws: ``TracerError`` for a negative count.
    public func expect(
        _ count: Int, of type: AnyClass, forEach each: AnyClass, because reason: String
    ) throws(TracerError) {
        guard count >= 0 else { throw .invalidCount("count", count) }
        let entry = InvariantTable.Entry(
            each: store.index(of: each), count: count, of: store.index(of: type), reason: reason)
        invariants.withLock { $0.add(entry) }
        thread.wake(by: clock.now())
    }
}
