extension HeapGraph {
    /// A line of two captures, with the change from the earlier one to the later one.
    public struct Change: Sendable {
        /// The counts of a line in one capture.
        public struct Sums: Sendable, Hashable {
            /// The number of blocks.
            public internal(set) var count = 0
            /// The bytes of the blocks.
            public internal(set) var bytes = 0
            /// The bytes that would be freed with the blocks; `nil` if unknown.
            public internal(set) var retained: Int? = 0
        }

        /// The line, with counts of 0.
        public let line: Line
        /// The counts in the earlier capture.
        public let before: Sums
        /// The counts in the later capture.
        public let after: Sums

        /// The number of blocks by which the line has grown; negative if it has shrunk.
        public var countChange: Int { after.count - before.count }
        /// The bytes by which the line has grown; negative if it has shrunk.
        public var bytesChange: Int { after.bytes - before.bytes }
        /// The change of the retained bytes; `nil` if one of the captures does not know them.
        public var retainedChange: Int? { Self.sum(after.retained, before.retained.map { -$0 }) }

        fileprivate static func sum(_ first: Int?, _ second: Int?) -> Int? {
            guard let first, let second else { return nil }
            return first + second
        }
    }

    /// Compares this capture with an earlier one of the same process, line by line.
    ///
    /// A comparison cannot tell which objects are the same in both captures: nothing but its address identifies an
    /// object that is not traced, and malloc soon gives the address of a dead object to a new one.
    ///
    /// - Returns: A change for each line of either capture, those with the largest growth in bytes first.
    public func changes(since earlier: HeapGraph) -> [Change] {
        let before = earlier.sumsByLine
        let after = sumsByLine
        // A type that a capture does not list retains nothing in it, unless the capture has no retained sizes.
        let none = [earlier, self].map { Change.Sums(retained: $0.retained.obstacle == nil ? 0 : nil) }
        let changes = Set(before.keys).union(after.keys).map { line in
            Change(line: line, before: before[line] ?? none[0], after: after[line] ?? none[1])
        }
        return changes.sorted {
            ($1.bytesChange, $0.line.name, $0.line.type) < ($0.bytesChange, $1.line.name, $1.line.type)
        }
    }

    private var sumsByLine: [Line: Change.Sums] {
        let sums = lines.map {
            ($0.withoutCounts, Change.Sums(count: $0.count, bytes: $0.bytes, retained: $0.retained))
        }
        return Dictionary(sums) { first, second in
            Change.Sums(
                count: first.count + second.count, bytes: first.bytes + second.bytes,
                retained: Change.sum(first.retained, second.retained))
        }
    }
}
