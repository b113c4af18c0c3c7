import CLifetimeRuntime

/// The records of a cut, with a sorted copy that is made when the order is first needed.
///
/// `@unchecked Sendable` is safe because neither the records nor, once made, the sorted records are written again.
final class RecordList: @unchecked Sendable {
    /// One record of a cut.
    struct Record {
        let id: InstanceID
        /// The position of the context in the registry's context table.
        let context: Int
        /// The time of birth in the encoding of the record.
        let time: UInt64
        /// Whether the instance may have annotations, tokens or deadlines.
        let isWatched: Bool

        init(_ record: lt_record) {
            id = InstanceID(rawValue: record.id)
            context = Int(lt_context_at(record.context).pointee.position)
            time = record.word1 >> UInt64(LT_CONTEXT_BITS)
            isWatched = record.word0 & LT_WATCHED != 0
        }
    }

    // A part of `allocation`, which belongs to this object and is freed in `deinit`.
    private let records: UnsafeMutableBufferPointer<lt_record>
    private let allocation: UnsafeMutableBufferPointer<lt_record>
    private let sorted = Locked<Sorted?>(nil)
    private let isInOrder: Bool

    /// `@unchecked Sendable` is safe because the records are only read.
    private struct Sorted: @unchecked Sendable, LockedState {
        let records: UnsafeMutableBufferPointer<lt_record>
    }

    /// Creates a list of a copy of some records, which are in the order of their ids.
    convenience init(_ records: [lt_record]) {
        let allocation = RecordBuffer.take(capacity: records.count)
        _ = allocation.initialize(from: records)
        self.init(UnsafeMutableBufferPointer(rebasing: allocation[..<records.count]), allocation: allocation)
    }

    init(_ records: UnsafeMutableBufferPointer<lt_record>, allocation: UnsafeMutableBufferPointer<lt_record>) {
        self.records = records
        self.allocation = allocation
        isInOrder = records.indices.dropFirst().allSatisfy {
            records[$0 - 1].id < records[$0].id
        }
    }

    deinit {
        RecordBuffer.giveBack(allocation)
        sorted.withLock { $0?.records.deallocate() }
    }

    var count: Int { records.count }

    /// Returns the record at a position, oldest first.
    subscript(position: Int) -> Record {
        Record(order()[position])
    }

    /// Calls `body` with each record, in unspecified order.
    func forEachUnordered(_ body: (Record) -> Void) {
        for record in records { body(Record(record)) }
    }

    /// Calls `body` with records, youngest first, until it returns false.
    func forEachFromYoungest(atMost limit: Int, _ body: (Record) -> Bool) {
        for record in order().reversed().prefix(limit) {
            guard body(Record(record)) else { return }
        }
    }

    /// Whether an instance was live at the cut.
    func contains(_ id: InstanceID) -> Bool {
        record(of: id) != nil
    }

    /// Returns the record of an instance, if it was live at the cut.
    func record(of id: InstanceID) -> Record? {
        let records = order()
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            let found = records[middle].id
            if found == id.rawValue { return Record(records[middle]) }
            if found < id.rawValue { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The records, oldest first.
    private func order() -> UnsafeMutableBufferPointer<lt_record> {
        // While few records have been reused, the records are in order already.
        if isInOrder { return records }
        if let sorted = sorted.withLock({ $0 }) { return sorted.records }
        // Sorting happens outside the lock because it may take long. Another thread that needs the order meanwhile
        // sorts as well.
        var copy = UnsafeMutableBufferPointer<lt_record>.allocate(capacity: records.count)
        _ = copy.initialize(from: records)
        copy.sort { $0.id < $1.id }
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
