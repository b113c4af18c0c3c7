/// The births and deaths between two marks, and the surviving instances.
public struct SnapshotDiff: Sendable {
    /// The change of one type.
    public struct TypeChange: Sendable {
        /// The type.
        public let type: TypeName
        /// The number of births between the ends.
        public let born: Int
        /// The number of deaths between the ends, including instances born before.
        public let died: Int
        /// The number of instances that were born between the ends and are live now.
        public let kept: Int
    }

    /// One end of a diff.
    public struct End: Sendable {
        /// The mark's name, or `now`.
        public let name: String
        /// The time of the end.
        public let at: MonotonicTime
    }

    /// The earlier end.
    public let from: End
    /// The later end.
    public let to: End
    /// The types that changed, those with the most survivors first.
    public let types: [TypeChange]
    /// The instances that were born between the ends and are live now, oldest first.
    public let survivors: [InstanceRecord]
}

extension LifetimeRegistry {
    /// Compares two marks, or a mark with the present.
    ///
    /// - Parameters:
    ///   - from: The name of the earlier mark.
    ///   - to: The name of the later mark; `nil` for now. If the order is reversed, the marks are exchanged.
    /// - Throws: ``TracerError`` if a mark does not exist.
    public func diff(from: String, to: String? = nil) throws(TracerError) -> SnapshotDiff {
        var earlier = try mark(named: from)
        let snapshot = snapshot()
        var later: Mark
        if let to, to != Self.nowName {
            later = try mark(named: to)
        } else {
            later = Mark(name: Self.nowName, counters: snapshot.counters)
        }
        // Ordered by counts, which only rise, because two marks may have the same time.
        if (later.born, later.died) < (earlier.born, earlier.died) { swap(&earlier, &later) }
        let survivors = snapshot.instances.filter {
            $0.id > earlier.counters.lastID && $0.id <= later.counters.lastID
        }
        return SnapshotDiff(
            from: SnapshotDiff.End(name: earlier.name, at: earlier.at),
            to: SnapshotDiff.End(name: later.name, at: later.at),
            types: Self.changes(from: earlier.counters.types, to: later.counters.types, survivors: survivors),
            survivors: survivors)
    }

    private static func changes(
        from earlier: [TypeTable.Entry], to later: [TypeTable.Entry], survivors: [InstanceRecord]
    ) -> [SnapshotDiff.TypeChange] {
        var kept: [TypeName: Int] = [:]
        for survivor in survivors { kept[survivor.type, default: 0] += 1 }
        let changes = later.enumerated().map { position, entry in
            let before = position < earlier.count ? earlier[position] : nil
            return SnapshotDiff.TypeChange(
                type: entry.name, born: entry.born - (before?.born ?? 0), died: entry.died - (before?.died ?? 0),
                kept: kept[entry.name] ?? 0)
        }
        return changes.filter { $0.born > 0 || $0.died > 0 }
            .sorted { ($1.kept, $1.born, $0.type.qualified) < ($0.kept, $0.born, $1.type.qualified) }
    }
}
