/// The live instances of a snapshot, oldest first.
///
/// An instance is made when it is asked for; until then each takes 16 bytes. The order is found out when it is first needed:
/// some ten milliseconds for a million.
public struct InstanceList: RandomAccessCollection, Sendable {
    let contents: SnapshotContents

    /// The first position.
    public var startIndex: Int { 0 }

    /// The position behind the last.
    public var endIndex: Int { contents.cut.records.count }

    /// What is known of the instance at a position.
    public subscript(position: Int) -> InstanceRecord {
        contents.instance(contents.cut.records[position])
    }
}
