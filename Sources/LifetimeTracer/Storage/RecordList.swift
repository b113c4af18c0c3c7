import CLifetimeRuntime
import Synchronization

/// The records of a cut, with a sorted copy that is made when the order is first needed and differs from that of the
/// records.
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

    private let records: UnsafeMutableBufferPointer<lt_record>
    // The memory of the records, which belongs to this object.
    private let buffer: RecordBuffer
    // The sorted records, unless the records are in the order of their ids; the memory belongs to this object.
    private let sorted = Locked<RecordBuffer?>(nil)
    // The address of the records or of the sorted records, once the order is known; until then 0.
    private let ordered = Atomic<UInt>(0)

    /// Creates a list of a copy of some records.
    convenience init(_ records: [lt_record]) {
        let buffer = RecordBuffer.take(capacity: records.count)
        _ = buffer.records.initialize(from: records)
        self.init(buffer, count: records.count)
    }

    /// Creates a list of the first records in a buffer, which it gives back when it is no longer needed.
    init(_ buffer: RecordBuffer, count: Int) {
        self.buffer = buffer
        records = UnsafeMutableBufferPointer(rebasing: buffer.records[..<count])
    }

    deinit {
        buffer.giveBack()
        sorted.withLock { $0 }?.giveBack()
    }

    var count: Int { records.count }

    /// Returns the record at a position, oldest first.
    subscript(position: Int) -> Record {
        Record(inOrder()[position])
    }

    /// Calls `body` with each record, in unspecified order.
    func forEachUnordered(_ body: (Record) -> Void) {
        for record in records { body(Record(record)) }
    }

    /// Calls `body` with records, youngest first, until it returns false.
    func forEachFromYoungest(atMost limit: Int, _ body: (Record) -> Bool) {
        for record in inOrder().reversed().prefix(limit) {
            guard body(Record(record)) else { return }
        }
    }

    /// Whether an instance was live at the cut.
    func contains(_ id: InstanceID) -> Bool {
        record(of: id) != nil
    }

    /// Returns the record of an instance, if it was live at the cut.
    func record(of id: InstanceID) -> Record? {
        let records = inOrder()
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
    private func inOrder() -> UnsafeMutableBufferPointer<lt_record> {
        guard let start = UnsafeMutablePointer<lt_record>(bitPattern: ordered.load(ordering: .acquiring)) else {
            return findOrder()
        }
        return UnsafeMutableBufferPointer(start: start, count: count)
    }

    /// Sorts the records if necessary.
    ///
    /// No lock is held, because it may take long. Another thread that needs the order meanwhile looks for it as well.
    private func findOrder() -> UnsafeMutableBufferPointer<lt_record> {
        if records.indices.dropFirst().allSatisfy({ records[$0 - 1].id < records[$0].id }) {
            ordered.store(UInt(bitPattern: records.baseAddress), ordering: .releasing)
            return records
        }
        let copy = RecordBuffer.take(capacity: count)
        var made = UnsafeMutableBufferPointer(rebasing: copy.records[..<count])
        _ = made.initialize(from: records)
        made.sort { $0.id < $1.id }
        let start = UInt(bitPattern: made.baseAddress)
        guard ordered.compareExchange(expected: 0, desired: start, ordering: .acquiringAndReleasing).exchanged else {
            copy.giveBack()
            return inOrder()
        }
        sorted.withLock { $0 = copy }
        return made
    }
}
