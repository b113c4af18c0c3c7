import CLifetimeRuntime

/// The oldest live instance of each type, as far as it is known.
///
/// Ids and times of birth rise, so an instance that was once the oldest of its type is the oldest until it dies. Thus
/// the records of all instances are read only after such a death.
struct OldestInstances: LockedState {
    /// By the type's position in the registry.
    ///
    /// `@unchecked Sendable` of the elements is safe because records are never unmapped, and only read.
    private var known: [Oldest] = []

    private struct Oldest: @unchecked Sendable {
        var found = lt_oldest()
    }

    /// Returns the times of birth of the oldest instances of some types, in the encoding of the records; `nil` for a
    /// type without a listed live instance.
    ///
    /// - Parameters:
    ///   - types: The positions of types that had listed live instances a moment ago.
    ///   - typeCount: The number of types.
    ///   - chunks: All records that have been in use.
    mutating func births(
        of types: [Int], typeCount: Int, in core: RegistryCore,
        _ chunks: [(records: UnsafeMutablePointer<lt_record>, count: UInt32)]
    ) -> [UInt64?] {
        if !types.allSatisfy({ isLive($0, in: core) }) { look(typeCount, in: core, chunks) }
        return types.map { known[$0].found.place == nil ? nil : known[$0].found.time }
    }

    /// Whether the known instance of a type is still live.
    private func isLive(_ type: Int, in core: RegistryCore) -> Bool {
        guard type < known.count, let place = known[type].found.place else { return false }
        var record = lt_record()
        return lt_read_record_of(place, core.pointer, &record) && record.id == known[type].found.id
    }

    private mutating func look(
        _ typeCount: Int, in core: RegistryCore,
        _ chunks: [(records: UnsafeMutablePointer<lt_record>, count: UInt32)]
    ) {
        var oldest = [lt_oldest](repeating: lt_oldest(), count: typeCount)
        for chunk in chunks { lt_find_oldest(chunk.records, chunk.count, core.pointer, &oldest, typeCount) }
        known = oldest.map(Oldest.init)
    }
}

extension InstanceStore {
    /// Returns the times of birth of the oldest instances of some types, in the encoding of the records; `nil` for a
    /// type without a listed live instance.
    ///
    /// - Parameter types: The positions of types that had listed live instances a moment ago.
    func oldestBirths(of types: [Int], typeCount: Int) -> [UInt64?] {
        let chunks = RecordArena.shared.withLock { $0.usedChunks }
        return oldest.withLock { $0.births(of: types, typeCount: typeCount, in: core, chunks) }
    }
}
