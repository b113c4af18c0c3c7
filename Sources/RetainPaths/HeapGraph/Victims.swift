extension HeapGraph {
    /// Instances of a class that only a leak holds.
    public struct Victims: Sendable, Hashable {
        /// The name of the class, for users: `Row`.
        public let name: String
        /// The class with its module.
        public let type: String
        /// The number of instances.
        public internal(set) var count: Int

        /// Creates an entry.
        package init(name: String, type: String, count: Int) {
            self.name = name
            self.type = type
            self.count = count
        }
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
                .map { HeapGraph.Victims(name: $0.name, type: $0.type, count: -$0.count) }
        )
        .filter { $0.count > 0 }
    }
}
