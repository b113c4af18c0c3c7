import CLifetimeRuntime

/// Reads the records of a cut while threads go on creating and destroying objects.
///
/// The initializer reads the records of the instances that are still live.
protocol CutReader: AnyObject {
    /// The number of listed instances in front of those that are read.
    var skipped: Int { get }

    /// Adds instances of the cut that have died on a thread since; some may have been read before.
    func add(_ log: lt_death_log)

    /// Returns the records; the reader must not be used afterwards.
    func list() -> RecordList
}
