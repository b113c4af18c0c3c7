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
    private(set) var refused: UInt64 = 0

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
            let (wanted, overflow) = each.live.multipliedReportingOverflow(by: UInt64(entry.count))
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

extension LifetimeRegistry {
    /// Expects a fixed number of live instances of one type for each live instance of another.
    ///
    /// ```swift
    /// registry.expect(1, of: ViewModel.self, forEach: Screen.self, because: "a screen has one view model")
    /// ```
    /// Checked once a second and at every ``check()``; reported when broken for longer than
    /// ``RegistryConfiguration/invariantGrace``.
    ///
    /// - Parameters:
    ///   - count: The expected number for each instance of `each`, from 0.
    ///   - type: The type whose instances are counted.
    ///   - each: The type whose live instances determine the expected total.
    ///   - reason: A human-readable reason for the invariant.
    /// - Throws: ``TracerError`` for a negative count.
    public func expect(
        _ count: Int, of type: AnyClass, forEach each: AnyClass, because reason: String
    ) throws(TracerError) {
        guard count >= 0 else { throw .invalidCount("count", count) }
        let entry = InvariantTable.Entry(
            each: store.index(of: each), count: count, of: store.index(of: type), reason: reason)
        invariants.withLock { $0.add(entry) }
        thread.wake(by: clock.now())
    }
}
