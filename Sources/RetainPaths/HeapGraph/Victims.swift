extension HeapGraph {
    /// Instances of a class that only a leak holds.
    public struct Victims: Sendable, Hashable {
        /// The name of the class, for users: `Row`.
        public let name: String
        /// The class with its module.
        public let type: String
        /// The number of instances.
        public internal(set) var count: Int
        /// The number of those that are also in a cycle of their own, which keeps them when the leak's cycle is broken.
        public internal(set) var inCycles: Int

        /// Creates an entry.
        package init(name: String, type: String, count: Int, inCycles: Int = 0) {
            self.name = name
            self.type = type
            self.count = count
            self.inCycles = inCycles
        }
    }
}

extension HeapGraph.Victims {
    /// `6 Item`, `6 Item (2 of them in cycles of their own)`.
    var text: String {
        let own = inCycles == count ? "in cycles of their own" : "\(inCycles.grouped) of them in cycles of their own"
        return "\(count.grouped) \(name)" + (inCycles > 0 ? " (\(own))" : "")
    }
}

extension HeapGraph.Leak {
    /// Adds an equal leak.
    mutating func add(_ other: Self) {
        count += other.count
        objects += other.objects
        bytes += other.bytes
        victims = victims.adding(other.victims)
    }
}

extension [HeapGraph.Victims] {
    /// The entries, those with the most instances first.
    var inOrder: Self {
        sorted { ($1.count, $0.name, $0.type) < ($0.count, $1.name, $1.type) }
    }

    /// The entries of both lists, with their sums.
    func adding(_ others: Self) -> Self {
        var sums = self
        for other in others {
            if let index = sums.firstIndex(where: { $0.type == other.type && $0.name == other.name }) {
                sums[index].count += other.count
                sums[index].inCycles += other.inCycles
            } else {
                sums.append(other)
            }
        }
        return sums.inOrder
    }

    /// The entries that are more than in another list, with the difference.
    func subtracting(_ others: Self) -> Self {
        adding(
            others.filter { other in contains { $0.type == other.type && $0.name == other.name } }
                .map { HeapGraph.Victims(name: $0.name, type: $0.type, count: -$0.count, inCycles: -$0.inCycles) }
        )
        .filter { $0.count > 0 }
    }
}
