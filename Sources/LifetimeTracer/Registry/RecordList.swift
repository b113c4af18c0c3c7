import CLifetimeRuntime

/// The records of a cut: a copy of its own, sorted when the order is first wanted.
///
/// `@unchecked Sendable` is safe because the memory is written once more after `init`, when it is sorted, inside `order`'s lock,
/// and read only after that.
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
    private let isSorted = Locked(false)

    init(_ records: UnsafeMutableBufferPointer<lt_record>, allocation: UnsafeMutableBufferPointer<lt_record>) {
        self.records = records
        self.allocation = allocation
    }

    deinit {
        allocation.deallocate()
    }

    var count: Int { records.count }

    /// The record at a position, from the oldest.
    subscript(position: Int) -> Record {
        sort()
        return Record(records[position])
    }

    /// Calls `body` with each record, in no order.
    func forEachUnordered(_ body: (Record) -> Void) {
        // The memory may be sorted by another thread at any time, but for this one.
        isSorted.withLock { _ in
            for record in records { body(Record(record)) }
        }
    }

    /// Whether an instance was live at the cut.
    func contains(_ id: InstanceID) -> Bool {
        record(of: id) != nil
    }

    /// The record of an instance, if it was live at the cut.
    func record(of id: InstanceID) -> Record? {
        sort()
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            let found = records[middle].word0 & LT_ID_MASK
            if found == id.rawValue { return Record(records[middle]) }
            if found < id.rawValue { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func sort() {
        isSorted.withLock { isSorted in
            guard !isSorted else { return }
            var records = records
            records.sort { $0.word0 & LT_ID_MASK < $1.word0 & LT_ID_MASK }
            isSorted = true
        }
    }
}
