/// What is to be looked for in a copy of the process.
struct HeapQuestion: Sendable {
    /// How targets are told; inverted bit by bit, so that the question does not look as if it held them.
    struct Targets: Sendable {
        /// The addresses of the first.
        private(set) var addresses: [UInt64] = []
        /// Words that nothing but each of the others has among its fields.
        private(set) var carriedWords: [UInt64] = []

        static func addresses(_ addresses: [UInt64]) -> Self { Self(addresses: addresses) }
        static func carriedWords(_ words: [UInt64]) -> Self { Self(carriedWords: words) }

        var count: Int { addresses.count + carriedWords.count }
        /// All, in the order of the findings.
        var inverted: [UInt64] { addresses + carriedWords }

        /// The same behind others, which are told by their addresses.
        func behind(_ others: [UInt64]) -> Self {
            Self(addresses: others + addresses, carriedWords: carriedWords)
        }

        /// The same in parts of at most so many; one empty part of nothing.
        func batches(of size: Int) -> [Self] {
            let starts = count == 0 ? [0] : Array(stride(from: 0, to: count, by: size))
            return starts.map { start in
                let words = max(0, start - addresses.count)..<max(0, min(start + size, count) - addresses.count)
                return Self(
                    addresses: Array(addresses.dropFirst(start).prefix(size)), carriedWords: Array(carriedWords[words]))
            }
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
