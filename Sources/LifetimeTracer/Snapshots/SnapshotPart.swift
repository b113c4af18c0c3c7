/// The instances that a snapshot lists.
enum SnapshotPart: Sendable {
    /// All.
    case all
    /// Neighbours in the order of ids.
    case range(IDRange)
    /// The overdue ones.
    case overdue

    /// Whether all are listed.
    var isWhole: Bool { if case .all = self { true } else { false } }
}
