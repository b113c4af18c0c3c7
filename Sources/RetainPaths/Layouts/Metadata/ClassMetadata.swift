/// The metadata of a class on systems without Objective-C (swift/ABI/Metadata.h, TargetClassMetadata).
struct ClassMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    var superclass: Metadata? { pointer.pointer(8).map(Metadata.init) }
    var instanceSize: Int { Int(pointer.read(24, as: UInt32.self)) }
    var instanceAlignment: Int { Int(pointer.read(28, as: UInt16.self)) + 1 }
    var descriptor: ContextDescriptor? { pointer.pointer(40).map(ContextDescriptor.init) }

    /// The class's own generic arguments, which are the first of its immediate members
    /// (TargetClassDescriptor::getGenericArgumentOffset).
    var genericArguments: UnsafeRawPointer? {
        descriptor?.immediateMembersOffset.map { pointer + $0 }
    }

    /// The offsets of the class's own stored properties in the object; `nil` if they are not known.
    func fieldOffsets(count: Int) -> [Int]? {
        guard let descriptor, let vector = descriptor.fieldOffsetVector else { return count == 0 ? [] : nil }
        var start = vector * wordSize
        if descriptor.hasResilientSuperclass {
            guard let members = descriptor.immediateMembersOffset else { return nil }
            start += members
        }
        return (0..<count).map { pointer.read(start + $0 * wordSize, as: Int.self) }
    }

    /// The size of the header at the start of every object (HeapObject).
    static let headerSize = 16
}
