import CLifetimeRuntime

/// Access to single instances by their ids, and to types.
extension InstanceStore {
    /// Requests a report of an instance's death.
    ///
    /// - Parameters:
    ///   - reason: The table that will contain the instance.
    ///   - isHeld: Whether the caller holds the object, so that it cannot die during the call. If not, the call waits
    ///     for deaths in progress, which interrupts all running threads for about a microsecond.
    /// - Returns: Whether the instance is live and listed; if not, its death will not be reported.
    func watch(_ id: InstanceID, for reason: WatchReasons, isHeld: Bool = false) -> Bool {
        if id.isUntraced { return UntracedInstances.watch(id) }
        guard let place = place(of: id), lt_flag_record(place, core.pointer, id.rawValue, reason.rawValue) else {
            return false
        }
        if isHeld { return true }
        // A death that read the record before the flag was set is not reported. Once such a death has completed, the
        // record is free.
        lt_settle()
        return record(id, at: place) != nil
    }

    /// Whether the instance is live.
    ///
    /// Unlisted instances, beyond the limit, count as not live.
    func isLive(_ id: InstanceID) -> Bool {
        id.isUntraced ? UntracedInstances.isWatched(id) : place(of: id) != nil
    }

    /// Whether the instance has certainly died.
    ///
    /// While unlisted instances exist, this cannot be known of an instance that is not listed.
    func hasDied(_ id: InstanceID) -> Bool {
        !id.isUntraced && !isLive(id) && catalog.withLock { $0.unlisted == 0 }
    }

    /// Returns the type of a live instance.
    func typeName(of id: InstanceID) -> TypeName? {
        typeAndSite(of: id)?.0
    }

    /// Returns the type and the creation site of a live instance.
    func typeAndSite(of id: InstanceID) -> (TypeName, SourceSite)? {
        guard !id.isUntraced, let place = place(of: id), let record = record(id, at: place) else { return nil }
        let position = lt_context_at(record.context).pointee.position
        return catalog.withLock { catalog in
            let context = catalog.contexts.entries[Int(position)]
            return (catalog.types[context.type].name, context.site)
        }
    }

    /// Returns the position of a live instance's type.
    func typePosition(of id: InstanceID) -> Int? {
        listedRecord(of: id).map { Int(lt_type_at(lt_context_at($0.context).pointee.type).position) }
    }

    /// Returns the handle that a live instance carries.
    func carriedWord(of id: InstanceID) -> lt_handle? {
        guard !id.isUntraced, let place = place(of: id), let record = record(id, at: place) else { return nil }
        let address = UInt64(UInt(bitPattern: place))
        return address << (UInt64(LT_PAYLOAD_SHIFT) - 4) | UInt64(lt_context_at(record.context).pointee.type)
    }

    /// Returns the live instance that carries a word; `nil` if the word is not a handle of a live instance of this
    /// registry.
    func instance(carrying word: lt_handle) -> InstanceID? {
        guard word >= LT_FIRST_HANDLE, word & LT_UNLISTED == 0, let place = RecordArena.place(of: lt_place(word)) else {
            return nil
        }
        var record = lt_record()
        guard lt_read_record_of(place, core.pointer, &record) else { return nil }
        let id = InstanceID(rawValue: record.word0 & LT_ID_MASK, place: UInt(bitPattern: place))
        return carriedWord(of: id) == word ? id : nil
    }

    /// Whether the id was assigned to an instance, live or dead, or is reserved for one.
    func wasBorn(_ id: InstanceID) -> Bool {
        id.rawValue > 0 && id.rawValue <= lt_last_id(core.pointer)
    }

    /// Returns the index of a type, even if no instance of it has been born.
    func index(of type: Any.Type) -> TypeIndex {
        catalog.withLock { $0.types.index(of: type) }
    }

    /// Returns the name of a type that has an entry.
    func knownName(of type: Any.Type) -> TypeName? {
        catalog.withLock { $0.types.knownName(of: type) }
    }

    /// Returns the record of a live instance, found by the hint in its id or by a search through all records.
    ///
    /// Safe: the hint is the place of a record, and records are never unmapped. Another instance may use the record by
    /// now, so the id in it is checked.
    private func place(of id: InstanceID) -> UnsafeMutablePointer<lt_record>? {
        if let hinted = UnsafeMutablePointer<lt_record>(bitPattern: id.place) {
            return record(id, at: hinted) == nil ? nil : hinted
        }
        guard wasBorn(id) else { return nil }
        for chunk in RecordArena.shared.withLock({ $0.chunks }) {
            if let found = lt_find_record(chunk.records, core.pointer, id.rawValue) { return found }
        }
        return nil
    }

    /// Returns a copy of the record of a live instance.
    func listedRecord(of id: InstanceID) -> lt_record? {
        place(of: id).flatMap { record(id, at: $0) }
    }

    private func record(_ id: InstanceID, at place: UnsafeMutablePointer<lt_record>) -> lt_record? {
        var record = lt_record()
        guard lt_read_record_of(place, core.pointer, &record), record.word0 & LT_ID_MASK == id.rawValue else {
            return nil
        }
        return record
    }
}
