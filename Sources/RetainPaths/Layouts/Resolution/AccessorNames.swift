import LifetimeTracer

/// The names of types that reflection must not see, taken from the symbols of the references to their accessors.
///
/// For a type that is not copyable, the compiler stores an accessor that returns `()` in the field's record, so that
/// reflection does not copy a value. But the symbol of the record's reference contains the type
/// (lib/IRGen/IRGenMangler.cpp, mangleSymbolNameForMangledMetadata…):
/// `get_type_metadata 15Synchronization5MutexVy4Demo5StateVG noncopyable`. Therefore the type is known in programs that
/// are not stripped.
struct AccessorNames {
    private lazy var types = NominalTypes()

    /// The name of the type whose accessor is referred to at an address.
    ///
    /// The runtime can resolve this name.
    mutating func name(ofReferenceAt address: UInt) -> MangledName? {
        guard let symbol = Symboliser.shared.symbol(at: address), symbol.offset == 0,
            let parts = symbol.mangledName?.split(separator: " "), parts.count == 3,
            parts[0] == "get_type_metadata", parts[2].hasPrefix("noncopyable"),
            let pieces = Self.pieces(ofTypeBehindSignature: parts[1])
        else { return nil }
        return makeName(pieces)
    }

    /// The pieces of a type, in front of which the generic parameters of its name may be described.
    ///
    /// That description, of the parameters' requirements and numbers, ends with `l`: `s8SendableRzl`
    /// (docs/ABI/Mangling.rst, generic-signature).
    static func pieces(ofTypeBehindSignature text: Substring) -> [NameExpansion.Piece]? {
        if let pieces = NameExpansion.pieces(of: String(text)) { return pieces }
        for end in text.indices where text[end] == "l" {
            if let pieces = NameExpansion.pieces(of: String(text[text.index(after: end)...])) { return pieces }
        }
        return nil
    }

    /// The name of the type of a global or static variable, from the variable's symbol.
    ///
    /// The runtime can resolve this name.
    mutating func name(ofTypeOfVariable symbol: String) -> MangledName? {
        NameExpansion.pieces(ofTypeOfVariable: symbol).map { makeName($0) }
    }

    /// The name of the class of an object that the compiler laid out as the value of a variable, from the object's
    /// symbol.
    mutating func name(ofClassOfObject symbol: String) -> MangledName? {
        NameExpansion.pieces(ofClassOfObject: symbol).map { makeName($0) }
    }

    /// Makes a name that refers to types by their descriptors, like the names in a program's file.
    mutating func makeName(_ pieces: [NameExpansion.Piece]) -> MangledName {
        var bytes: [UInt8] = []
        var references: [(position: Int, descriptor: ContextDescriptor)] = []
        for piece in pieces {
            switch piece {
            case .text(let text): bytes += text.utf8
            case .nominal(let path, let text):
                if let descriptor = types[path] {
                    references.append((bytes.count, descriptor))
                    // 0x02 is an indirect reference to a context, relative to the byte behind 0x02.
                    bytes += [0x02, 0, 0, 0, 0]
                } else {
                    bytes += text.utf8
                }
            }
        }
        // The pointers to the descriptors come first. The memory is never freed, like the names in the program's file.
        // There are few such names.
        let pointers = references.count * wordSize
        let memory = UnsafeMutableRawPointer.allocate(byteCount: pointers + bytes.count + 1, alignment: wordSize)
        memory.advanced(by: pointers).copyMemory(from: bytes, byteCount: bytes.count)
        memory.storeBytes(of: 0, toByteOffset: pointers + bytes.count, as: UInt8.self)
        for (index, (position, descriptor)) in references.enumerated() {
            memory.storeBytes(of: descriptor.pointer, toByteOffset: index * wordSize, as: UnsafeRawPointer.self)
            let place = pointers + position + 1
            memory.storeBytes(of: Int32(index * wordSize - place), toByteOffset: place, as: Int32.self)
        }
        return MangledName(
            start: UnsafePointer(memory.advanced(by: pointers).assumingMemoryBound(to: UInt8.self)), count: bytes.count)
    }
}
