import CLifetimeRuntime

extension LifetimeRegistry {
    /// The words by which live instances can be found in memory: what each carries, inverted bit by bit.
    ///
    /// Inverted, so that a list of them does not look as if it carried them itself. `nil` for an instance that is not live, that is
    /// not listed, or that was born while tracing was off.
    package func carriedWords(of ids: [InstanceID]) -> [UInt64?] {
        ids.map { store.carriedWord(of: $0).map { ~$0 } }
    }

    /// Where in malloc's memory the tracer has counters and contexts, which must not be taken for the program's.
    ///
    /// What the words there are is no reference, but may look like one. A thread that is new to tracing has none in the list.
    package static func ownMemory() -> [Range<UInt>] {
        listed(by: lt_list_memory) + listed(by: lt_list_contexts)
    }

    /// The variable of the tracer's in which nothing is a reference although it may look like one.
    package static var ownTable: Range<UInt> {
        let types = lt_memory_of_types()
        return types.start..<types.end
    }

    private static func listed(by list: (UnsafeMutablePointer<lt_memory>?, Int) -> Int) -> [Range<UInt>] {
        // Some more than there are, because threads may start meanwhile.
        let room = list(nil, 0) + 48
        let pieces = [lt_memory](unsafeUninitializedCapacity: room) { buffer, count in
            count = min(room, list(buffer.baseAddress, room))
        }
        return pieces.map { $0.start..<$0.end }
    }
}
