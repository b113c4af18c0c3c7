import CLifetimeRuntime

/// Reads the records of certain instances.
final class RecordFinder: CutReader {
    let skipped = 0

    private var found: [lt_record] = []
    private var missing: Set<UInt64> = []

    /// Reads the records of the instances that are still live.
    ///
    /// - Parameter record: Returns the record of a live instance.
    init(_ ids: [InstanceID], upTo last: InstanceID, _ record: (InstanceID) -> lt_record?) {
        found.reserveCapacity(ids.count)
        for id in ids where id <= last {
            if let record = record(id) { found.append(record) } else { missing.insert(id.rawValue) }
        }
    }

    func add(_ log: lt_death_log) {
        guard !missing.isEmpty else { return }
        for death in UnsafeBufferPointer(start: log.deaths, count: log.count)
        where missing.remove(death.record.id) != nil {
            found.append(death.record)
        }
    }

    func list() -> RecordList {
        found.sort { $0.id < $1.id }
        return RecordList(found)
    }
}
