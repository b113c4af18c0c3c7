import LifetimeTracer

extension Snapshot {
    /// The live instance with that id.
    ///
    /// Takes a few dozen steps, because the instances stand in the order of their ids.
    func instance(_ id: InstanceID) -> InstanceRecord? {
        var range = instances.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if instances[middle].id == id { return instances[middle] }
            range = instances[middle].id < id ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
