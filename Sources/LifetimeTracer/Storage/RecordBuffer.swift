import CLifetimeRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Memory for the records of a cut.
///
/// The memory of the last small cut is kept for the next one: fresh memory would cost more than the copy itself,
/// because the system provides it page by page. A large cut has memory in huge pages, which the system provides in a
/// third of the time.
///
/// `@unchecked Sendable` is safe because a buffer has one owner at a time: first the thread that fills it, then the
/// list that reads it, at last the lock of the kept memory. No thread writes to it while several threads read it.
struct RecordBuffer: @unchecked Sendable, LockedState {
    /// Room for at least the requested number of records.
    let records: UnsafeMutableBufferPointer<lt_record>
    private let isMapped: Bool

    /// The most records of memory that is kept: one megabyte.
    private static let mostKept = 1 << 16
    /// The fewest records of memory that is mapped for them alone: two huge pages.
    private static let fewestMapped = 1 << 18
    /// The size of a huge page on x86-64, and on arm64 with pages of 4 KB.
    private static let hugePage = 1 << 21

    private static let spare = Locked<RecordBuffer?>(nil)

    /// Returns memory for records.
    static func take(capacity: Int) -> RecordBuffer {
        let kept = spare.withLock { spare -> RecordBuffer? in
            guard let buffer = spare, buffer.records.count >= capacity else { return nil }
            spare = nil
            return buffer
        }
        return kept ?? mapped(capacity: capacity)
            ?? RecordBuffer(records: .allocate(capacity: capacity), isMapped: false)
    }

    /// Takes the memory back, which nobody may use afterwards.
    func giveBack() {
        let unwanted = Self.spare.withLock { spare -> RecordBuffer? in
            guard records.count <= Self.mostKept, records.count > spare?.records.count ?? 0 else { return self }
            defer { spare = self }
            return spare
        }
        unwanted?.free()
    }

    /// Maps memory for many records; `nil` for few records, or if the system refuses the memory.
    private static func mapped(capacity: Int) -> RecordBuffer? {
        guard capacity >= fewestMapped else { return nil }
        let stride = MemoryLayout<lt_record>.stride
        // The system does not align memory of other sizes, and provides small pages at both ends.
        let bytes = (capacity * stride + hugePage - 1) / hugePage * hugePage
        guard let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), start != MAP_FAILED
        else { return nil }
        #if os(Linux)
        // A kernel without huge pages refuses, and provides small ones.
        madvise(start, bytes, MADV_HUGEPAGE)
        #endif
        let room = bytes / stride
        let records = start.bindMemory(to: lt_record.self, capacity: room)
        return RecordBuffer(records: UnsafeMutableBufferPointer(start: records, count: room), isMapped: true)
    }

    private func free() {
        if isMapped {
            munmap(records.baseAddress, records.count * MemoryLayout<lt_record>.stride)
        } else {
            records.deallocate()
        }
    }
}
