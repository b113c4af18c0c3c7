/// What is to be looked for in a copy of the process.
struct HeapQuestion: Sendable {
    /// How targets are told; inverted bit by bit, so that the question does not look as if it held them.
    enum Targets: Sendable {
        /// Words that nothing but each target has among its fields.
        case carriedWords([UInt64])
        /// The targets' addresses.
        case addresses([UInt64])

        var inverted: [UInt64] {
            switch self {
            case .carriedWords(let words), .addresses(let words): words
            }
        }

        var areAddresses: Bool {
            if case .addresses = self { true } else { false }
        }
    }

    var targets: Targets
    /// The tasks that ask.
    var askers: [AskingTask] = []
    /// How long the copies may work.
    var timeout: Duration
    var memoryLimit: UInt64
}

/// What the one who asked wants to hear of meanwhile, and can say.
struct SearchObserver: Sendable {
    var progress: @Sendable (RetainPaths.Progress) -> Void = { _ in }
    var isCancelled: @Sendable () -> Bool = { false }
}
