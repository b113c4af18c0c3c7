import CLifetimeRuntime

extension InstanceStore {
    /// The live instances by type and age.
    struct Ages: Sendable {
        /// The ages of each type with live instances, and the site that created most of these instances.
        let byType: [(type: TypeName, ages: AgeCounts, site: SourceSite?)]
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
        let (types, contexts) = catalog.withLock { ($0.types.entries, $0.contexts.entries) }
        let names = types.map(\.name)
        // One row for each type, and one for all further types.
        let rows = min(names.count, typeLimit) + 1
        let width = AgeCounts.minutes + 1
        var counts = [UInt32](repeating: 0, count: rows * width)
        var furtherTypes: Set<Int> = []
        var byContext = [UInt32](repeating: 0, count: contexts.count)
        let times = timebase.translation(asOf: now)
        forEachRecord { record, _ in
            let context = lt_context_at(record.context).pointee
            let type = Int(lt_type_at(context.type).position)
            // A context may be younger than the list.
            let position = Int(context.position)
            if position < byContext.count { byContext[position] &+= 1 }
            let bornAt = times.time(record.word1 >> UInt64(LT_CONTEXT_BITS))
            let age = endedMinutes - 1 - Int((max(bornAt, start).nanoseconds - start.nanoseconds) / 60_000_000_000)
            guard age >= 0 else { return }
            let row = min(type, rows - 1)
            if type >= rows - 1 { furtherTypes.insert(type) }
            counts[row * width + min(age, width - 1)] &+= 1
        }
        var all = [UInt32](repeating: 0, count: width)
        let sites = Self.commonSites(contexts, byContext)
        var byType: [(type: TypeName, ages: AgeCounts, site: SourceSite?)] = []
        for row in 0..<rows {
            let ages = counts[row * width..<(row + 1) * width]
            guard ages.contains(where: { $0 > 0 }) else { continue }
            for (age, count) in ages.enumerated() { all[age] &+= count }
            guard row < rows - 1 else { continue }
            byType.append((names[row], AgeCounts(Array(ages)), sites[TypeIndex(rawValue: Int32(row))]))
        }
        return Ages(byType: byType, all: AgeCounts(all), omittedTypes: furtherTypes.count)
    }

    /// The site of each type that created most of its live instances.
    private static func commonSites(_ contexts: [ContextTable.Entry], _ counts: [UInt32]) -> [TypeIndex: SourceSite] {
        // The same site can occur with several creation stacks.
        var bySite: [TypeIndex: [SourceSite: Int]] = [:]
        for (context, count) in zip(contexts, counts) where count > 0 {
            guard let site = context.site.ifKnown else { continue }
            bySite[context.type, default: [:]][site, default: 0] += Int(count)
        }
        return bySite.compactMapValues(SourceSite.mostFrequent)
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
