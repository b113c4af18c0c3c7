import CLifetimeRuntime

/// The records of a cut: a copy of its own, and a sorted one when the order is first wanted.
///
/// `@unchecked Sendable` is safe because neither the records nor, once they are there, the sorted ones are written again.
final class RecordList: @unchecked Sendable {
    /// One record of a cut.
    struct Record {
        let id: InstanceID
        /// The position of the context among those of its registry.
        let context: Int
        /// The time of birth, to be translated.
        let time: UInt64

        init(_ record: lt_record) {
            id = InstanceID(rawValue: record.word0 & LT_ID_MASK)
            context = Int(lt_context_at(record.context).pointee.position)
            time = record.word1 >> UInt64(LT_CONTEXT_BITS)
        }
    }

    private let records: UnsafeMutableBufferPointer<lt_record>
    private let allocation: UnsafeMutableBufferPointer<lt_record>
    private let sorted = Locked<Sorted?>(nil)

    /// `@unchecked Sendable` is safe because the records are only read.
    private struct Sorted: @unchecked Sendable, LockedState {
        let records: UnsafeMutableBufferPointer<lt_record>
    }

    init(_ records: UnsafeMutableBufferPointer<lt_record>, allocation: UnsafeMutableBufferPointer<lt_record>) {
        self.records = records
        self.allocation = allocation
    }

    deinit {
        allocation.deallocate()
        sorted.withLock { $0?.records.deallocate() }
    }

    var count: Int { records.count }

    /// The record at a position, from the oldest.
    subscript(position: Int) -> Record {
        Record(order()[position])
    }

    /// Calls `body` with each record, in no order.
    func forEachUnordered(_ body: (Record) -> Void) {
        for record in records { body(Record(record)) }
    }

    /// Whether an instance was live at the cut.
    func contains(_ id: InstanceID) -> Bool {
        record(of: id) != nil
    }

    /// The record of an instance, if it was live at the cut.
    func record(of id: InstanceID) -> Record? {
        let records = order()
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            let found = records[middle].word0 & LT_ID_MASK
            if found == id.rawValue { return Record(records[middle]) }
            if found < id.rawValue { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The records, oldest first.
    private func order() -> UnsafeMutableBufferPointer<lt_record> {
        if let sorted = sorted.withLock({ $0 }) { return sorted.records }
        // Not under the lock: it may take long, and another thread that wants the order at once may as well sort, too.
        var copy = UnsafeMutableBufferPointer<lt_record>.allocate(capacity: records.count)
        _ = copy.initialize(from: records)
        copy.sort { $0.word0 & LT_ID_MASK < $1.word0 & LT_ID_MASK }
        let address = copy.baseAddress
        let made = Sorted(records: copy)
        let kept = sorted.withLock { sorted in
            if sorted == nil { sorted = made }
            return sorted ?? made
        }
        if kept.records.baseAddress != address { copy.deallocate() }
        return kept.records
    }
}
