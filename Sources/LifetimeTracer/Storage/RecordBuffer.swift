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
/// The memory of the last two cuts is kept for later ones, because fresh memory costs more than the copy itself: the
/// system fills it with zeros page by page. A large cut has memory in huge pages, which take a third of the time. While
/// such memory is kept, the system may take its pages back whenever it is short of memory.
///
/// `@unchecked Sendable` is safe because a buffer has one owner at a time: first the thread that fills it, then the
/// list that reads it, at last the lock of the kept memory. No thread writes to it while several threads read it.
struct RecordBuffer: @unchecked Sendable, LockedState {
    /// Room for at least the requested number of records.
    let records: UnsafeMutableBufferPointer<lt_record>
    private let isMapped: Bool

    /// The most records of memory that is kept, if the system cannot take it back: one megabyte.
    private static let mostKept = 1 << 16
    /// The most records of memory that is kept and that the system can take back: 64 megabytes.
    private static let mostLent = 1 << 22
    /// The fewest records of memory that is mapped for them alone: two huge pages.
    private static let fewestMapped = 1 << 18
    /// The size of a huge page on x86-64, and on arm64 with pages of 4 KB.
    private static let hugePage = 1 << 21

    private static let kept = Locked(KeptRecordBuffers())

    /// Returns memory for records.
    static func take(capacity: Int) -> RecordBuffer {
        kept.withLock { $0.take(capacity: capacity) } ?? make(capacity: capacity)
    }

    /// Returns fresh memory for records.
    static func make(capacity: Int) -> RecordBuffer {
        mapped(capacity: capacity) ?? RecordBuffer(records: .allocate(capacity: capacity), isMapped: false)
    }

    /// Takes the memory back, which nobody may use afterwards.
    func giveBack() {
        guard prepareForKeeping() else { return free() }
        Self.kept.withLock { $0.add(self) }?.free()
    }

    /// Frees the memory.
    func free() {
        if isMapped {
            munmap(records.baseAddress, byteCount)
        } else {
            records.deallocate()
        }
    }

    /// Permits the system to take mapped memory back.
    ///
    /// - Returns: Whether the memory may be kept.
    func prepareForKeeping() -> Bool {
        guard isMapped else { return records.count <= Self.mostKept }
        #if os(Linux)
        return records.count <= Self.mostLent && madvise(records.baseAddress, byteCount, MADV_FREE) == 0
        #else
        return false
        #endif
    }

    private var byteCount: Int { records.count * MemoryLayout<lt_record>.stride }

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
}
