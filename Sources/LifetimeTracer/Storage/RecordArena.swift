import CLifetimeRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The memory for the records of all registries, in chunks that are never unmapped, so that any record can be read at
/// any time.
///
/// Free records stay with the thread that freed them. Full batches circulate through the arena, so a thread that only
/// creates objects reuses the records that another thread frees.
struct RecordArena: LockedState {
    /// The arena of the process.
    static let shared = Locked(RecordArena())

    /// A chunk of records.
    ///
    /// `@unchecked Sendable` is safe because its records are accessed only through the atomic accesses of
    /// `CLifetimeRuntime`.
    struct Chunk: @unchecked Sendable {
        let records: UnsafeMutablePointer<lt_record>
    }

    /// A linked list of free records, and its length.
    private typealias FreeRecords = (first: UnsafeMutablePointer<lt_record>, count: Int)

    /// The chunks, in the order in which they were mapped.
    private(set) var chunks: [Chunk] = []
    /// Batches of free records, each a linked list that begins at its first record, with their lengths.
    private var batches: [(first: Chunk, count: Int)] = []
    // The number of records of the last chunk that have been handed out at least once.
    private var used = 0

    // The number of new records that a stripe gets at a time if no batch is available; divides the size of a chunk.
    private static let run = 512

    /// The chunks, each with the number of its records that have been handed out at least once.
    var usedChunks: [(records: UnsafeMutablePointer<lt_record>, count: UInt32)] {
        chunks.enumerated().map { position, chunk in
            (chunk.records, UInt32(position == chunks.count - 1 ? used : Int(LT_CHUNK_RECORDS)))
        }
    }

    /// The number of mapped bytes.
    var bytes: Int { chunks.count * Int(LT_CHUNK_BYTES) }

    /// The address of the chunk that contains a record.
    static func chunkAddress(of place: UnsafeMutablePointer<lt_record>) -> UInt {
        UInt(bitPattern: place) & ~UInt(LT_CHUNK_BYTES - 1)
    }

    /// The same place if it is that of a record; `nil` for any other address.
    static func place(of address: UnsafeMutablePointer<lt_record>?) -> UnsafeMutablePointer<lt_record>? {
        // Handles have addresses of whole records.
        address.flatMap { lt_is_record($0) ? $0 : nil }
    }

    /// Provides the calling thread's stripe with free records.
    ///
    /// - Returns: Whether the stripe has free records; `false` if the system has no memory.
    static func refill() -> Bool {
        guard let stripe = lt_adopt_stripe() else { return false }
        if useSpare(of: stripe) { return true }
        // Another stripe is claimed outside the lock, because a thread that has claimed all stripes may wait for the
        // lock.
        guard
            let (first, count) = shared.withLock({ $0.takeBatch() }) ?? batchOfOtherStripe()
                ?? shared.withLock({ $0.takeNew() })
        else { return false }
        lt_enter(stripe)
        defer { lt_leave(stripe) }
        // Only this thread adds records to its stripe, so the list is still empty.
        lt_set_free_records(stripe, first, UInt64(count))
        return true
    }

    /// Sets aside the full batch of the calling thread's stripe, and passes an earlier one to other threads.
    static func setBatchAside() {
        guard let stripe = lt_own_stripe() else { return }
        lt_enter(stripe)
        let isFull = stripe.pointee.free_count >= UInt64(LT_FREE_BATCH)
        let earlier = isFull ? stripe.pointee.spare : nil
        let count = Int(stripe.pointee.spare_count)
        if isFull {
            stripe.pointee.spare = stripe.pointee.free
            stripe.pointee.spare_count = stripe.pointee.free_count
            lt_set_free_records(stripe, nil, 0)
        }
        lt_leave(stripe)
        if let earlier {
            let batch = Chunk(records: earlier)
            shared.withLock { $0.batches.append((batch, count)) }
        }
    }

    private static func useSpare(of stripe: UnsafeMutablePointer<lt_stripe>) -> Bool {
        lt_enter(stripe)
        defer { lt_leave(stripe) }
        guard let spare = stripe.pointee.spare else { return false }
        lt_set_free_records(stripe, spare, stripe.pointee.spare_count)
        stripe.pointee.spare = nil
        return true
    }

    private mutating func takeBatch() -> FreeRecords? {
        batches.popLast().map { ($0.first.records, $0.count) }
    }

    /// Takes a batch that the thread of another stripe has not noticed yet.
    private static func batchOfOtherStripe() -> FreeRecords? {
        var count: UInt64 = 0
        return lt_take_batch(&count).map { ($0, Int(count)) }
    }

    private mutating func takeNew() -> FreeRecords? {
        if chunks.isEmpty || used == Int(LT_CHUNK_RECORDS) {
            guard let chunk = Self.map() else { return nil }
            guard lt_add_chunk(chunk.records) else {
                munmap(chunk.records, Int(LT_CHUNK_BYTES))
                return nil
            }
            chunks.append(chunk)
            used = 0
        }
        let first = chunks[chunks.count - 1].records + used
        for position in 0..<Self.run {
            lt_link_record(first + position, position + 1 < Self.run ? first + position + 1 : nil)
        }
        used += Self.run
        return (first, Self.run)
    }

    /// Maps a chunk aligned to its size, so that a record's address identifies its chunk.
    private static func map() -> Chunk? {
        let size = Int(LT_CHUNK_BYTES)
        let mapped = mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        let start = UInt(bitPattern: mapped)
        let aligned = (start + UInt(size) - 1) & ~UInt(size - 1)
        if aligned > start { munmap(mapped, Int(aligned - start)) }
        let end = start + UInt(2 * size)
        if end > aligned + UInt(size) {
            munmap(UnsafeMutableRawPointer(bitPattern: aligned + UInt(size)), Int(end - aligned) - size)
        }
        let records = UnsafeMutablePointer<lt_record>(bitPattern: aligned)
        return records.map(Chunk.init)
    }
}
