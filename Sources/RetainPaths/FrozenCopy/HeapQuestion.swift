/// The targets and limits of one search.
struct HeapQuestion: Sendable {
    /// The targets of a search.
    ///
    /// They are stored inverted, so that the question does not seem to hold them.
    struct Targets: Sendable {
        /// The inverted addresses of the first targets.
        private(set) var addresses: [UInt64] = []
        /// For each of the other targets, the inverted word that only this target carries.
        private(set) var carriedWords: [UInt64] = []

        static func addresses(_ addresses: [UInt64]) -> Self { Self(addresses: addresses) }
        static func carriedWords(_ words: [UInt64]) -> Self { Self(carriedWords: words) }

        var count: Int { addresses.count + carriedWords.count }
        /// All targets, in the order of the findings.
        var inverted: [UInt64] { addresses + carriedWords }

        /// The same targets after other targets, which are given by their inverted addresses.
        func behind(_ others: [UInt64]) -> Self {
            Self(addresses: others + addresses, carriedWords: carriedWords)
        }

        /// The targets in batches of at most `size`; a single empty batch if there are no targets.
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
    /// The lines of a census whose blocks are the targets, if ``targets`` is empty.
    var lines: [LineKey] = []
    /// The number of blocks of ``lines`` that are targets, evenly spread over the heap.
    var sample = 0
    /// The tasks that request the search.
    var askers: [AskingTask] = []
    /// The processor time that the frozen copies may use.
    var timeout: Duration
    var memoryLimit: Int
    /// The size in bytes from which the references of a block may be listed; 0 for the usual size, `.max` for none.
    ///
    /// The answer is the same with any size, but takes long without lists.
    var largeBlockSize: UInt32 = 0
    /// The memory for a census, which takes the place of a search for targets.
    var census: CensusMemory?
    /// The memory for leaks, which are searched for in place of targets.
    var leaks: LeakMemory?
    /// The memory for retained sizes, which the first look at the leaks fills.
    var retained: RetainedMemory?
    /// The memory for tasks, which a search or the first look at the leaks fills.
    var tasks: TaskMemory?
}

extension HeapQuestion {
    /// The blocks with the continuations of tasks that would seem to be held by questions.
    ///
    /// A search for leaks leaves out the tasks that request it, which it knows to be in use, and no others.
    var hiddenBlocks: [Range<UInt>] {
        let requesting = Set(askers.map(\.inverted))
        return HiddenBlock.places { leaks == nil || requesting.contains(UInt64($0)) }
    }
}

/// The caller's callbacks during a search: they receive progress and report cancellation.
struct SearchObserver: Sendable {
    var progress: @Sendable (RetainPaths.Progress) -> Void = { _ in }
    var isCancelled: @Sendable () -> Bool = { false }
}
