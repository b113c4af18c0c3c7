import LifetimeTracer

/// The instances that match a query, in order.
///
/// An instance record is created on access, so a page costs no more than its entries, even among a million matches.
struct InstanceMatches: RandomAccessCollection {
    private let instance: (Int) -> InstanceRecord
    /// The positions of the matches in the underlying collection; `nil` if every element matches.
    private let positions: [Int]?
    private let isReversed: Bool

    let endIndex: Int
    var startIndex: Int { 0 }

    subscript(position: Int) -> InstanceRecord {
        let place = isReversed ? endIndex - 1 - position : position
        return instance(positions?[place] ?? place)
    }

    /// Creates the matches from a whole list, which is sorted oldest first.
    init<List: RandomAccessCollection<InstanceRecord>>(_ list: List) where List.Index == Int {
        self.init({ list[$0] }, positions: nil, count: list.count)
    }

    private init(
        _ instance: @escaping (Int) -> InstanceRecord, positions: [Int]?, count: Int, isReversed: Bool = false
    ) {
        self.instance = instance
        self.positions = positions
        self.isReversed = isReversed
        endIndex = count
    }

    /// Returns the matches that meet a condition, in the same order.
    func only(_ condition: (InstanceRecord) -> Bool) -> Self {
        at(indices.filter { condition(self[$0]) })
    }

    /// Returns the matches in reverse order.
    func backwards() -> Self {
        Self(instance, positions: positions, count: count, isReversed: !isReversed)
    }

    /// Returns the matches sorted by type name.
    ///
    /// The order within a type does not change.
    func byType(_ order: SortOrder) -> Self {
        // Grouping first needs far fewer comparisons of names, because types are fewer than instances.
        let byType = Dictionary(grouping: indices) { self[$0].type }
        let types = byType.sorted { order.isBefore($0.key.qualified, $1.key.qualified) ?? false }
        return at(types.flatMap(\.value))
    }

    private func at(_ places: [Int]) -> Self {
        Self({ self[$0] }, positions: places, count: places.count)
    }
}
