/// The live instances that a cut lists.
enum CutPart: Sendable {
    /// All.
    case all
    /// Neighbours in the order of ids.
    case range(IDRange)
    /// Those with these ids, which are watched.
    case instances([InstanceID])

    /// Whether the deaths of all instances up to the cut are remembered, because clients may ask for them.
    ///
    /// Deaths of watched instances are remembered in any case.
    var isNoted: Bool {
        switch self {
        case .all, .range: true
        case .instances: false
        }
    }
}

/// Neighbours in the list of the live instances in the order of their ids.
package struct IDRange: Sendable {
    /// Whether the list begins with the oldest instance.
    package let isAscending: Bool
    /// The id behind which the range begins, live or not; `nil` for the beginning of the list.
    package let start: InstanceID?
    /// The most instances.
    package let limit: Int

    /// Creates a range.
    package init(isAscending: Bool, behind start: InstanceID?, limit: Int) {
        self.isAscending = isAscending
        self.start = start
        self.limit = limit
    }
}
