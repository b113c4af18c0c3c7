/// The metadata of a closure's context, or of a box whose type needs no generic arguments (swift/ABI/Metadata.h,
/// TargetHeapLocalVariableMetadata).
struct ContextMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    /// The offset of the first capture, or of the first word of bindings.
    ///
    /// It is behind the header.
    ///
    /// The metadata contains 0 if the compiler does not know the size of the first capture, as for a type of a library
    /// that may have another version.
    var firstCapture: Int {
        max(ClassMetadata.headerSize, Int(pointer.read(8, as: UInt32.self)))
    }
    /// `nil` if reflection is disabled.
    var captures: CaptureDescriptor? { pointer.pointer(16).map(CaptureDescriptor.init) }
}

/// The captures of a closure (swift/RemoteInspection/Records.h, CaptureDescriptor).
struct CaptureDescriptor {
    private let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    var captureCount: Int { Int(pointer.read(0, as: UInt32.self)) }
    private var sourceCount: Int { Int(pointer.read(4, as: UInt32.self)) }
    /// The number of words of generic arguments before the captures.
    var bindingCount: Int { Int(pointer.read(8, as: UInt32.self)) }

    /// The type of a capture; `nil` if reflection is disabled.
    func typeName(_ index: Int) -> MangledName? {
        pointer.relative(12 + 4 * index).map(MangledName.init)
    }

    /// The generic parameters, and the places of their arguments (MetadataSourceRecord).
    var sources: [(parameter: MangledName, source: String)] {
        let start = 12 + 4 * captureCount
        return (0..<min(sourceCount, 64)).compactMap { index in
            guard let parameter = pointer.relative(start + 8 * index),
                let source = pointer.relative(start + 8 * index + 4)
            else { return nil }
            return (MangledName(parameter), source.text)
        }
    }
}

/// The metadata of a box that the runtime allocated for a given type (swift/ABI/Metadata.h, GenericBoxHeapMetadata).
struct GenericBoxMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    /// The offset of the value.
    var offset: Int { Int(pointer.read(8, as: UInt32.self)) }
    var type: Metadata? { pointer.pointer(16).map(Metadata.init) }
}
