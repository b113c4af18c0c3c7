extension LifetimeRegistry {
    /// Whether a list of the registry may take longer than a millisecond.
    ///
    /// Costs a few short locks. Instances count if they were live at the same time in any registry, because the records
    /// of all are searched.
    package var isLarge: Bool {
        RecordArena.shared.withLock { $0.chunks.count > Size.chunks }
            || store.catalog.withLock { $0.types.entries.count > Size.types }
            || deadlines.withLock { $0.overdueInstanceCount > Size.overdue }
            || tokens.withLock { $0.entries.count > Size.tokens }
            || annotations.withLock { $0.entries.count > Size.annotations }
    }

    /// The sizes up to which a list takes less than a millisecond.
    private enum Size {
        /// Of 16,384 instances each.
        static let chunks = 3
        static let types = 500
        static let overdue = 300
        static let tokens = 1000
        static let annotations = 5000
    }
}
