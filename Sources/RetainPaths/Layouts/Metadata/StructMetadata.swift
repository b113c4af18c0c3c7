/// A struct's metadata (swift/ABI/Metadata.h, TargetStructMetadata).
struct StructMetadata {
    private let metadata: Metadata

    init(_ metadata: Metadata) {
        self.metadata = metadata
    }

    /// Where the stored properties are in a value; `nil` where it cannot be told.
    func fieldOffsets(count: Int) -> [Int]? {
        guard let vector = metadata.descriptor?.fieldOffsetVector else { return count == 0 ? [] : nil }
        let start = vector * wordSize
        return (0..<count).map { Int(metadata.pointer.read(start + $0 * 4, as: UInt32.self)) }
    }
}
