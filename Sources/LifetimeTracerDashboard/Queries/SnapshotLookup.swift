import LifetimeTracer

extension Snapshot {
    /// Returns the live instance with an id, by binary search: the instances are sorted by id.
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
