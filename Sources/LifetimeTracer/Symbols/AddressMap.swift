#if os(Linux) && _pointerBitWidth(_64)
/// Finds the loaded object that contains an address.
struct AddressMap: Sendable {
    private struct Segment: Sendable {
        let range: Range<UInt>
        let object: LoadedObject
    }

    /// The generation of the list from which the map was made; `nil` before the first list.
    private(set) var generation: LoadedObjects.Generation?
    private(set) var objects: [LoadedObject] = []
    private(set) var unlisted = 0
    private var segments: [Segment] = []

    /// Returns the object that is loaded at an address.
    func object(at address: UInt) -> LoadedObject? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].range.lowerBound <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, segments[low - 1].range.contains(address) else { return nil }
        return segments[low - 1].object
    }

    /// Adopts a list of objects, and keeps the symbols of those that are still loaded.
    ///
    /// - Returns: Whether the list was adopted; false if another thread has already adopted a later one.
    mutating func install(_ loaded: LoadedObjects) -> Bool {
        if let generation, generation.isAfter(loaded.generation) { return false }
        // A library with the same path and address may be another build, unless nothing was unloaded or it has a build
        // id.
        let nothingWent = generation?.unloaded == loaded.generation.unloaded
        let former = Dictionary(objects.map { ($0.identity.bias, $0) }, uniquingKeysWith: { first, _ in first })
        objects = loaded.identities.map { identity in
            if let known = former[identity.bias], known.identity == identity,
                nothingWent || identity.buildID != nil || identity.path.isEmpty
            {
                return known
            }
            return LoadedObject(identity)
        }
        segments = objects.flatMap { object in object.identity.segments.map { Segment(range: $0, object: object) } }
        segments.sort { $0.range.lowerBound < $1.range.lowerBound }
        unlisted = loaded.unlisted
        generation = loaded.generation
        return true
    }
}
#endif
