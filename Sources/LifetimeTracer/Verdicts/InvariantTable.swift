/// The expected ratios between the numbers of live instances of two types.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct InvariantTable: LockedState {
    /// One invariant.
    struct Entry: Sendable {
        let each: TypeIndex
        let count: Int
        let of: TypeIndex
        let reason: String
        /// The time since which the invariant has been continuously broken.
        var brokenSince: MonotonicTime?
        var isReported = false
    }

    /// The most invariants.
    static let limit = 1000

    private(set) var entries: [Entry] = []
    private(set) var refused = 0

    var brokenCount: Int { entries.count { $0.isReported } }

    mutating func add(_ entry: Entry) {
        guard entries.count < Self.limit else {
            refused += 1
            return
        }
        entries.append(entry)
    }

    /// Finds the invariants that have now been broken for `grace` or longer.
    mutating func collectBroken(
        _ types: [TypeTable.Entry], at now: MonotonicTime, grace: Duration
    ) -> [Verdict] {
        var found: [Verdict] = []
        for position in entries.indices {
            let entry = entries[position]
            // A type that was first seen after the entries were copied is checked next time.
            guard max(Int(entry.each.rawValue), Int(entry.of.rawValue)) < types.count else { continue }
            let each = types[Int(entry.each.rawValue)]
            let of = types[Int(entry.of.rawValue)]
            // The instances of a type that a rule leaves out are not counted.
            guard !each.isLeftOut, !of.isLeftOut else { continue }
            let (wanted, overflow) = each.live.multipliedReportingOverflow(by: entry.count)
            guard overflow || of.live != wanted else {
                entries[position].brokenSince = nil
                entries[position].isReported = false
                continue
            }
            let since = entry.brokenSince ?? now
            entries[position].brokenSince = since
            guard !entry.isReported, now - since >= grace else { continue }
            entries[position].isReported = true
            found.append(.brokenInvariant(each, entry.count, of, reason: entry.reason, at: now))
        }
        return found
    }
}
