/// Neighbours in the list of the live instances, and the length of that list, at one instant.
///
/// Looks at each live instance once and copies the records of the neighbours alone, where a ``Snapshot`` copies and
/// sorts those of all.
package struct InstanceExtract: Sendable {
    private let contents: SnapshotContents

    /// When the instances were read.
    package var takenAt: MonotonicTime { contents.cut.at }
    /// The number of all listed instances.
    package var total: Int { contents.cut.counters.listed }
    /// The number of listed instances in front of the extract.
    package var position: Int { contents.cut.skipped }
    /// The instances, oldest first.
    package var instances: InstanceList { InstanceList(contents: contents) }
    /// The types with more live instances than their budget, or their group's budget, allows.
    package var typesOverBudget: Set<TypeName> { contents.typesOverBudget() }

    fileprivate init(_ contents: SnapshotContents) {
        self.contents = contents
    }
}

extension LifetimeRegistry {
    /// Returns neighbours in the list of the live instances.
    package func instances(in range: IDRange) -> InstanceExtract {
        thread.retryStart()
        return InstanceExtract(SnapshotContents(of: self, listing: .range(range)))
    }
}
