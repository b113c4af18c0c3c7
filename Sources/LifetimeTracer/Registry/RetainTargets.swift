import CLifetimeRuntime

extension LifetimeRegistry {
    /// The words by which live instances can be found in memory: the handle that each carries, with all bits inverted.
    ///
    /// The bits are inverted so that the list itself does not look like objects that carry the handles. The word is
    /// `nil` if the instance is not live, is not listed, or was born while tracing was off.
    package func carriedWords(of ids: [InstanceID]) -> [UInt64?] {
        ids.map { store.carriedWord(of: $0).map { ~$0 } }
    }

    /// Returns the type of an instance that is live and listed.
    package func typeOfLive(_ id: InstanceID) -> TypeName? { store.typeName(of: id) }

    /// Returns the live instance of this registry whose handle is one of the words.
    ///
    /// A traced object contains its handle, either in the object itself or in its ``LifetimeToken``. The words may have
    /// any values. Returns `nil` for words that no instance carries, for an instance that is not listed, and for an
    /// instance born while tracing was off.
    package func instance(carrying words: some Sequence<UInt64>) -> InstanceID? {
        words.lazy.compactMap { self.store.instance(carrying: $0) }.first
    }

    /// The tracer's global table whose words are not references, although they may look like some; its other parts are
    /// among ``TracerBlocks``.
    package static var ownTable: Range<UInt> {
        let types = lt_memory_of_first_types()
        return types.start..<types.end
    }
}
