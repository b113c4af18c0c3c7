import LifetimeTracer

/// A disagreement between the instances and the counts of a snapshot.
enum Disagreement {
    /// The disagreement in a snapshot, or `nil`.
    static func of(_ snapshot: Snapshot) -> String? {
        var listed: [TypeName: Int] = [:]
        for instance in snapshot.instances { listed[instance.type, default: 0] += 1 }
        for type in snapshot.types where listed[type.type, default: 0] != type.live {
            return "\(type.type): \(listed[type.type, default: 0]) listed, \(type.live) counted"
        }
        guard snapshot.live == snapshot.born - snapshot.died else { return "live is not born less died" }
        guard snapshot.live == snapshot.instances.count else { return "the total disagrees" }
        guard snapshot.types.allSatisfy({ $0.peak >= $0.live }) else { return "a peak below the live count" }
        guard !snapshot.deadlines.isEmpty else { return nil }
        let ids = Set(snapshot.instances.map(\.id))
        guard snapshot.deadlines.allSatisfy({ ids.contains($0.instance) }) else { return "a deadline of nobody" }
        return nil
    }
}
