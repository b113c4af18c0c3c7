/// Reading of the structures that the compiler and the runtime lay out.
///
/// These structures are not Swift values.
///
/// Safe: every pointer comes from metadata that is in use, or that was first read in a throwaway process. The runtime
/// frees no metadata. The same holds for the pointers that the types of this folder store.
extension UnsafeRawPointer {
    /// The value at an offset, aligned or not.
    func read<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type = Value.self) -> Value {
        loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// The pointer at an offset; `nil` for null.
    func pointer(_ offset: Int) -> UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: read(offset, as: UInt.self))
    }

    /// The target of a relative pointer at an offset; `nil` for null (swift/Basic/RelativePointer.h,
    /// RelativeDirectPointer).
    func relative(_ offset: Int) -> UnsafeRawPointer? {
        let distance = Int(read(offset, as: Int32.self))
        return distance == 0 ? nil : self + offset + distance
    }

    /// The text up to the first zero byte, truncated at a length that no name reaches.
    var text: String {
        let longest = 4_096
        var count = 0
        while count < longest, read(count, as: UInt8.self) != 0 { count += 1 }
        return String(decoding: UnsafeRawBufferPointer(start: self, count: count), as: UTF8.self)
    }

    /// The address as a number, for tables.
    var address: UInt { UInt(bitPattern: self) }
}

/// The size of a word of the runtime's structures.
let wordSize = MemoryLayout<UInt>.size
