import LifetimeTracer
import RetainPaths

extension HeapGraph.Line {
    /// The key that identifies the line in a list.
    var key: UInt64 { StableHash.of(kind.rawValue, name, type) }
}
