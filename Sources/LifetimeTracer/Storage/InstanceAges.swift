import CLifetimeRuntime

extension InstanceStore {
    /// The live instances by type and age.
    struct Ages: Sendable {
        /// The ages of each type with live instances.
        let byType: [(TypeName, AgeCounts)]
        /// The ages of all instances.
        let all: AgeCounts
        /// The number of types that are counted only in ``all``.
        let omittedTypes: Int
    }

    /// Counts the ages of all listed instances in minutes.
    ///
    /// Reads the records without a lock, so births and deaths are not held up; an instance that is born or dies
    /// meanwhile may or may not be counted. Takes time in proportion to the live instances.
    ///
    /// - Parameters:
    ///   - start: The time from which minutes are counted.
    ///   - endedMinutes: The number of minutes that have ended; instances that were born later are not counted.
    ///   - typeLimit: The most types that are counted one by one: those seen first.
    func ages(since start: MonotonicTime, endedMinutes: Int, at now: MonotonicTime, typeLimit: Int) -> Ages {
        let names = catalog.withLock { $0.types.entries }.map(\.name)
        // One row for each type, and one for all further types.
        let rows = min(names.count, typeLimit) + 1
        let width = AgeCounts.minutes + 1
        var counts = [UInt32](repeating: 0, count: rows * width)
        var furtherTypes: Set<Int> = []
        let times = timebase.translation(asOf: now)
        forEachRecord { record, _ in
            let type = Int(lt_type_at(lt_context_at(record.context).pointee.type).position)
            let bornAt = times.time(record.word1 >> UInt64(LT_CONTEXT_BITS))
            let age = endedMinutes - 1 - Int((max(bornAt, start).nanoseconds - start.nanoseconds) / 60_000_000_000)
            guard age >= 0 else { return }
            let row = min(type, rows - 1)
            if type >= rows - 1 { furtherTypes.insert(type) }
            counts[row * width + min(age, width - 1)] &+= 1
        }
        var all = [UInt32](repeating: 0, count: width)
        var byType: [(TypeName, AgeCounts)] = []
        for row in 0..<rows {
            let ages = counts[row * width..<(row + 1) * width]
            guard ages.contains(where: { $0 > 0 }) else { continue }
            for (age, count) in ages.enumerated() { all[age] &+= count }
            if row < rows - 1 { byType.append((names[row], AgeCounts(Array(ages)))) }
        }
        return Ages(byType: byType, all: AgeCounts(all), omittedTypes: furtherTypes.count)
    }

    /// Calls `body` with a copy of each listed instance's record, and the record's place, in unspecified order.
    ///
    /// Holds no lock while it reads. Safe: chunks are never unmapped, and `lt_copy_chunk` reads records that other
    /// threads may be writing.
    func forEachRecord(_ body: (lt_record, UnsafeMutablePointer<lt_record>) -> Void) {
        let room = Int(LT_CHUNK_RECORDS)
        let records = UnsafeMutablePointer<lt_record>.allocate(capacity: room)
        defer { records.deallocate() }
        for chunk in RecordArena.shared.withLock({ $0.chunks }) {
            var copied = [UInt64](repeating: 0, count: room / 64)
            _ = lt_copy_chunk(chunk.records, core.pointer, LT_ID_MASK, records, room, &copied)
            var next = records
            for (word, bits) in copied.enumerated() {
                // The records were copied in the order of their slots.
                var rest = bits
                while rest != 0 {
                    body(next.pointee, chunk.records + (word * 64 + rest.trailingZeroBitCount))
                    next += 1
                    rest &= rest - 1
                }
            }
        }
    }
}
