/// The mangled name of a type as the compiler writes it into a program, with references to descriptors as bytes
/// (docs/ABI/Mangling.rst, "Symbolic references").
struct MangledName: Hashable {
    let start: UnsafePointer<UInt8>
    let count: Int

    /// The name at an address.
    ///
    /// It ends at a zero byte outside of references. Safe: the compiler writes that zero byte behind each name.
    init(_ start: UnsafeRawPointer) {
        self.start = start.assumingMemoryBound(to: UInt8.self)
        var count = 0
        while self.start[count] != 0, count < Self.lengthLimit { count += 1 + Self.referenceSize(self.start[count]) }
        self.count = count
    }

    init(start: UnsafePointer<UInt8>, count: Int) {
        self.start = start
        self.count = count
    }

    /// The largest number of bytes that are read of a name.
    static let lengthLimit = 1 << 16

    /// The number of bytes that follow the first byte of a reference.
    static func referenceSize(_ byte: UInt8) -> Int {
        switch byte {
        case 0x01...0x17: 4
        case 0x18...0x1F: wordSize
        default: 0
        }
    }

    var address: UInt { UInt(bitPattern: start) }
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// The name without some bytes at the end.
    func dropping(_ bytes: Int) -> Self {
        Self(start: start, count: count - bytes)
    }
}
