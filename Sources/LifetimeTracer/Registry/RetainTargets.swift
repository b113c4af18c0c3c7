import CLifetimeRuntime

extension LifetimeRegistry {
    /// The words by which live instances can be found in memory: the handle that each carries, with all bits inverted.
    ///
    /// The bits are inverted so that the list itself does not look like objects that carry the handles. The word is
    /// `nil` if the instance is not live, is not listed, or was born while tracing was off.
    package func carriedWords(of ids: [InstanceID]) -> [UInt64?] {
        ids.map { store.carriedWord(of: $0).map { ~$0 } }
    }

    /// Returns the live instance of this registry whose handle is one of the words.
    ///
    /// A traced object contains its handle, either in the object itself or in its ``LifetimeToken``. The words may have
    /// any values. Returns `nil` for words that no instance carries, for an instance that is not listed, and for an
    /// instance born while tracing was off.
    package func instance(carrying words: some Sequence<UInt64>) -> InstanceID? {
        words.lazy.compactMap { self.store.instance(carrying: $0) }.first
    }

    /// The ranges of malloc memory that hold the tracer's counters and contexts, and must not be taken for the
    /// program's memory.
    ///
    /// The words in these ranges are not references, but may look like some. Memory of a thread that has only just
    /// started to use the tracer may be missing from the list.
    package static func ownMemory() -> [Range<UInt>] {
        listed(by: lt_list_memory) + listed(by: lt_list_contexts)
    }

    /// The tracer's global table whose words are not references, although they may look like some.
    package static var ownTable: Range<UInt> {
        let types = lt_memory_of_types()
        return types.start..<types.end
    }

    private static func listed(by list: (UnsafeMutablePointer<lt_memory>?, Int) -> Int) -> [Range<UInt>] {
        // Has some spare room, because threads may start meanwhile.
        let room = list(nil, 0) + 48
        let pieces = [lt_memory](unsafeUninitializedCapacity: room) { buffer, count in
            count = min(room, list(buffer.baseAddress, room))
        }
        return pieces.map { $0.start..<$0.end }
    }
}
