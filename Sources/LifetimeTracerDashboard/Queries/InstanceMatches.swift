import LifetimeTracer

/// The instances that a query found, in order.
///
/// An instance is made when it is asked for, so a page of a million costs no more than its entries.
struct InstanceMatches: RandomAccessCollection {
    private let instance: (Int) -> InstanceRecord
    /// Where the matches stand among all instances; `nil` while all of them match.
    private let positions: [Int]?
    private let isReversed: Bool

    let endIndex: Int
    var startIndex: Int { 0 }

    subscript(position: Int) -> InstanceRecord {
        let place = isReversed ? endIndex - 1 - position : position
        return instance(positions?[place] ?? place)
    }

    /// All of a list, oldest first.
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

    /// Those that meet a condition, in the same order.
    func only(_ condition: (InstanceRecord) -> Bool) -> Self {
        at(indices.filter { condition(self[$0]) })
    }

    /// The same the other way round.
    func backwards() -> Self {
        Self(instance, positions: positions, count: count, isReversed: !isReversed)
    }

    /// The same by the names of their types; within a type, in the order in which they are.
    func byType(_ order: SortOrder) -> Self {
        // There are far fewer names to compare than instances.
        let byType = Dictionary(grouping: indices) { self[$0].type }
        let types = byType.sorted { order.isBefore($0.key.qualified, $1.key.qualified) ?? false }
        return at(types.flatMap(\.value))
    }

    private func at(_ places: [Int]) -> Self {
        Self({ self[$0] }, positions: places, count: places.count)
    }
}
