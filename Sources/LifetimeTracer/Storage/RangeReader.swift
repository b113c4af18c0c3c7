import CLifetimeRuntime

/// Reads the records of neighbours in the order of ids, without copying or sorting those of all instances.
///
/// Looks at each record once, and keeps at most a few times as many as are requested.
final class RangeReader: CutReader {
    /// The number of listed instances in front of the range; without those that die while the records are read.
    private(set) var skipped = 0

    private let range: IDRange
    // The ids that may still be part of the range.
    private var wanted: ClosedRange<UInt64>?
    private var found: [lt_record] = []

    /// Reads the records of the instances that are still live.
    init(of core: RegistryCore, _ range: IDRange, upTo last: InstanceID) {
        self.range = range
        // A client may have made up the id.
        let start = range.start.map { min($0.rawValue, last.rawValue + 1) }
        let wanted = Self.ids(of: range, behind: start, upTo: last.rawValue)
        self.wanted = wanted
        var search = lt_range_search()
        search.first_counted = 1
        if let start {
            (search.first_counted, search.last_counted) =
                range.isAscending ? (1, min(start, last.rawValue)) : (max(1, start), last.rawValue)
        }
        let room = max(256, 4 * range.limit)
        let output = UnsafeMutablePointer<lt_record>.allocate(capacity: room)
        defer { output.deallocate() }
        search.output = output
        search.room = room
        for chunk in RecordArena.shared.withLock({ $0.usedChunks }) {
            var slot: UInt32 = 0
            while slot < chunk.count {
                (search.first, search.last) = self.wanted.map { ($0.lowerBound, $0.upperBound) } ?? (1, 0)
                slot = lt_search_range(chunk.records, slot, chunk.count, core.pointer, &search)
                guard search.count == room else { continue }
                found = Array(UnsafeBufferPointer(start: output, count: room))
                keepNearest()
                _ = UnsafeMutableBufferPointer(start: output, count: found.count).initialize(from: found)
                search.count = found.count
            }
        }
        found = Array(UnsafeBufferPointer(start: output, count: search.count))
        skipped = search.counted
    }

    private static func ids(
        of range: IDRange, behind start: UInt64?, upTo last: UInt64
    ) -> ClosedRange<UInt64>? {
        guard range.limit > 0 else { return nil }
        if range.isAscending {
            let first = (start ?? 0) + 1
            return first <= last ? first...last : nil
        }
        let end = start ?? last + 1
        return end > 1 ? 1...end - 1 : nil
    }

    func add(_ log: lt_death_log) {
        guard let wanted else { return }
        let known = Set(found.map(\.id))
        for death in UnsafeBufferPointer(start: log.deaths, count: log.count)
        where wanted.contains(death.record.id) && !known.contains(death.record.id) {
            found.append(death.record)
        }
    }

    func list() -> RecordList {
        keepNearest()
        found.sort { $0.id < $1.id }
        return RecordList(found)
    }

    /// Drops what lies behind the range, and no longer looks for it.
    private func keepNearest() {
        guard found.count > range.limit, let old = wanted else { return }
        found.sort { range.isAscending ? $0.id < $1.id : $0.id > $1.id }
        found.removeLast(found.count - range.limit)
        let end = found[found.count - 1].id
        wanted = range.isAscending ? old.lowerBound...end : end...old.upperBound
    }
}

extension lt_record {
    /// The number of the instance's id.
    var id: UInt64 { word0 & LT_ID_MASK }
}
