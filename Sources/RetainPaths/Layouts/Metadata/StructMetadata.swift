/// A struct's metadata (swift/ABI/Metadata.h, TargetStructMetadata).
struct StructMetadata {
    private let metadata: Metadata

    init(_ metadata: Metadata) {
        self.metadata = metadata
    }

    /// The offsets of the stored properties in a value; `nil` if they are not known.
    func fieldOffsets(count: Int) -> [Int]? {
        guard let vector = metadata.descriptor?.fieldOffsetVector else { return count == 0 ? [] : nil }
        let start = vector * wordSize
        return (0..<count).map { Int(metadata.pointer.read(start + $0 * 4, as: UInt32.self)) }
    }
}
