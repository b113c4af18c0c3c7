/// The live instances of some types, oldest first.
///
/// A record is created on access; the selection itself takes 24 bytes an instance.
package struct InstanceSelection: RandomAccessCollection, Sendable {
    private let contents: SnapshotContents
    private let records: [RecordList.Record]

    /// The first position.
    package var startIndex: Int { 0 }

    /// The position after the last.
    package var endIndex: Int { records.count }

    /// The record of the instance at a position.
    package subscript(position: Int) -> InstanceRecord {
        contents.instance(records[position])
    }

    fileprivate init(_ contents: SnapshotContents, _ isWanted: (TypeName) -> Bool) {
        self.contents = contents
        let cut = contents.cut
        let wantedTypes = cut.counters.types.map { isWanted($0.name) }
        let wantedContexts = cut.contexts.map { $0.type != .leftOut && wantedTypes[Int($0.type.rawValue)] }
        var records: [RecordList.Record] = []
        cut.records.forEachUnordered { record in
            if wantedContexts[record.context] { records.append(record) }
        }
        records.sort { $0.id < $1.id }
        self.records = records
    }
}

extension InstanceList {
    /// Returns the instances of the types for which `isWanted` returns true.
    ///
    /// Calls `isWanted` once for each type and creates no records. Takes some milliseconds for a million instances of
    /// which few are wanted.
    package func ofTypes(where isWanted: (TypeName) -> Bool) -> InstanceSelection {
        InstanceSelection(contents, isWanted)
    }
}
