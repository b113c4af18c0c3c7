import CLifetimeRuntime

/// Copies the records of a cut, chunk by chunk, while threads go on creating and destroying objects.
final class RecordCopier: CutReader {
    let skipped = 0

    private let buffer: RecordBuffer
    // As much of the buffer as there are instances.
    private let records: UnsafeMutableBufferPointer<lt_record>
    private var count = 0
    // A bit for each copied slot of each chunk, by the chunk's address.
    private var copied: [UInt: [UInt64]] = [:]

    /// Copies the records of the live instances; ``add(_:)`` adds those of instances that die meanwhile.
    ///
    /// - Parameter total: The number of instances at the cut.
    init(of core: RegistryCore, upTo last: InstanceID, count total: Int, chunks: [RecordArena.Chunk]) {
        buffer = RecordBuffer.take(capacity: total)
        records = UnsafeMutableBufferPointer(rebasing: buffer.records[..<total])
        guard let base = records.baseAddress, total > 0 else { return }
        for chunk in chunks {
            var bits = [UInt64](repeating: 0, count: Int(LT_CHUNK_RECORDS) / 64)
            count += lt_copy_chunk(chunk.records, core.pointer, last.rawValue, base + count, total - count, &bits)
            copied[UInt(bitPattern: chunk.records)] = bits
        }
    }

    func add(_ log: lt_death_log) {
        for death in UnsafeBufferPointer(start: log.deaths, count: log.count)
        where !wasCopied(death.place) && count < records.count {
            records[count] = death.record
            count += 1
        }
    }

    func list() -> RecordList {
        RecordList(buffer, count: count)
    }

    // A copied slot held the one instance that was live in it at the cut.
    private func wasCopied(_ place: UnsafeMutablePointer<lt_record>) -> Bool {
        let chunk = RecordArena.chunkAddress(of: place)
        let slot = (Int(bitPattern: place) - Int(chunk)) / MemoryLayout<lt_record>.stride
        return copied[chunk].map { $0[slot / 64] & 1 << UInt64(slot % 64) != 0 } ?? false
    }
}
