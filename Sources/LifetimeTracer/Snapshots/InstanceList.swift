/// The live instances of a snapshot, oldest first.
///
/// A record is created on access; the list itself takes 16 bytes an instance. The order is determined on first use,
/// which takes some ten milliseconds for a million instances.
public struct InstanceList: RandomAccessCollection, Sendable {
    let contents: SnapshotContents

    /// The first position.
    public var startIndex: Int { 0 }

    /// The position after the last.
    public var endIndex: Int { contents.cut.records.count }

    /// The record of the instance at a position.
    public subscript(position: Int) -> InstanceRecord {
        contents.instance(contents.cut.records[position])
    }
}
