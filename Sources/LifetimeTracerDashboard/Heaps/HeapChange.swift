import LifetimeTracer
import RetainPaths

/// A line of two captures, with the change from the first to the second.
struct HeapChange: Sendable {
    /// The line without its counts.
    let line: HeapGraph.Line
    /// The blocks and bytes in the earlier capture, and in the later one.
    let before: Sums, after: Sums

    struct Sums: Sendable {
        var count = 0
        var bytes = 0
    }

    var countChange: Int { after.count - before.count }
    var bytesChange: Int { after.bytes - before.bytes }

    /// The lines of either graph.
    static func all(from earlier: HeapGraph, to later: HeapGraph) -> [HeapChange] {
        let before = sums(of: earlier)
        let after = sums(of: later)
        return Set(before.keys).union(after.keys).map { line in
            HeapChange(line: line, before: before[line] ?? Sums(), after: after[line] ?? Sums())
        }
    }

    private static func sums(of graph: HeapGraph) -> [HeapGraph.Line: Sums] {
        Dictionary(graph.lines.map { ($0.withoutCounts, Sums(count: $0.count, bytes: $0.bytes)) }) { first, second in
            Sums(count: first.count + second.count, bytes: first.bytes + second.bytes)
        }
    }
}

extension HeapGraph.Line {
    /// The key that identifies the line in a list.
    var key: UInt64 { StableHash.of(kind.rawValue, name, type) }
}
