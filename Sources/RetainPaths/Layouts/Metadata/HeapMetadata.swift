/// The metadata of a closure's context, or of a box whose type needs no generic arguments (swift/ABI/Metadata.h,
/// TargetHeapLocalVariableMetadata).
struct ContextMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    /// Where the first capture is, or the first word of bindings: behind the header.
    ///
    /// The metadata says 0 where the compiler does not know the size of the first capture, as it may be in a library of another version.
    var firstCapture: Int {
        max(ClassMetadata.headerSize, Int(pointer.read(8, as: UInt32.self)))
    }
    /// `nil` where reflection is switched off.
    var captures: CaptureDescriptor? { pointer.pointer(16).map(CaptureDescriptor.init) }
}

/// What a closure captures (swift/RemoteInspection/Records.h, CaptureDescriptor).
struct CaptureDescriptor {
    private let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    var captureCount: Int { Int(pointer.read(0, as: UInt32.self)) }
    private var sourceCount: Int { Int(pointer.read(4, as: UInt32.self)) }
    /// Words of generic arguments before the captures.
    var bindingCount: Int { Int(pointer.read(8, as: UInt32.self)) }

    /// The type of a capture; `nil` where reflection is switched off.
    func typeName(_ index: Int) -> MangledName? {
        pointer.relative(12 + 4 * index).map(MangledName.init)
    }

    /// Generic parameters, and where their arguments are found (MetadataSourceRecord).
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

/// The metadata of a box whose type the runtime was given (swift/ABI/Metadata.h, GenericBoxHeapMetadata).
struct GenericBoxMetadata {
    private let pointer: UnsafeRawPointer

    init(_ metadata: Metadata) {
        pointer = metadata.pointer
    }

    /// Where the value is.
    var offset: Int { Int(pointer.read(8, as: UInt32.self)) }
    var type: Metadata? { pointer.pointer(16).map(Metadata.init) }
}
