import LifetimeTracer
import RetainPaths

/// A line of two captures, with the change from the first to the second.
struct HeapChange: Sendable {
    /// The line without its counts.
    let line: HeapGraph.Line
    /// The numbers of the earlier capture, and of the later one.
    let before: Sums, after: Sums

    struct Sums: Sendable {
        var count = 0
        var bytes = 0
        /// The bytes that would be freed with the blocks; `nil` if unknown.
        var retained: Int? = 0
    }

    var countChange: Int { after.count - before.count }
    var bytesChange: Int { after.bytes - before.bytes }
    /// `nil` if one of the captures does not know the retained bytes.
    var retainedChange: Int? { Self.sum(after.retained, before.retained.map { -$0 }) }

    /// The lines of either graph.
    static func all(from earlier: HeapGraph, to later: HeapGraph) -> [HeapChange] {
        let before = sums(of: earlier)
        let after = sums(of: later)
        // A type that a capture does not list retains nothing in it, unless the capture has no retained sizes.
        let none = [earlier, later].map { Sums(retained: $0.retained.obstacle == nil ? 0 : nil) }
        return Set(before.keys).union(after.keys).map { line in
            HeapChange(line: line, before: before[line] ?? none[0], after: after[line] ?? none[1])
        }
    }

    private static func sums(of graph: HeapGraph) -> [HeapGraph.Line: Sums] {
        let lines = graph.lines.map {
            ($0.withoutCounts, Sums(count: $0.count, bytes: $0.bytes, retained: $0.retained))
        }
        return Dictionary(lines) { first, second in
            Sums(
                count: first.count + second.count, bytes: first.bytes + second.bytes,
                retained: sum(first.retained, second.retained))
        }
    }

    private static func sum(_ first: Int?, _ second: Int?) -> Int? {
        guard let first, let second else { return nil }
        return first + second
    }
}

extension HeapGraph.Line {
    /// The key that identifies the line in a list.
    var key: UInt64 { StableHash.of(kind.rawValue, name, type) }
}
