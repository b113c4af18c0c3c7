#if os(Linux) && _pointerBitWidth(_64)
import CSymbols

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The process has run out of what it takes to read symbols.
package struct SymbolShortage: Error, CustomStringConvertible {
    /// What ran out, and what to do.
    package let description: String
}

/// The variables of a loaded object: where in memory they are, and what they are called.
package struct LoadedVariables: Sendable {
    /// Changes when an object is loaded or unloaded.
    package struct Generation: Sendable, Equatable {
        fileprivate let loaded: LoadedObjects.Generation

        /// That of this moment.
        package static var current: Self { Self(loaded: .current) }
    }

    /// The path as the loader knows it; empty for the program itself.
    package var path: String { identity.path }
    /// The writable parts, in addresses of the process.
    package let writable: [Range<UInt>]

    private let identity: ObjectIdentity

    /// Those of all loaded objects, the program first.
    package static func ofAllObjects() -> [Self] {
        LoadedObjects(atMost: SymbolLimits().objects).identities.map(Self.init)
    }

    private init(_ identity: ObjectIdentity) {
        self.identity = identity
        let stride = MemoryLayout<Elf64_Phdr>.stride
        writable = identity.programHeaders.withUnsafeBytes { bytes in
            (0..<bytes.count / stride).compactMap { index in
                let header = bytes.loadUnaligned(fromByteOffset: index * stride, as: Elf64_Phdr.self)
                guard header.p_type == UInt32(PT_LOAD), header.p_flags & UInt32(PF_W) != 0 else { return nil }
                let start = identity.bias &+ UInt(header.p_vaddr)
                return start..<start &+ UInt(header.p_memsz)
            }
        }
    }

    /// Whether this is the same object at the same place, by all that can be told without reading its file.
    package func isSame(as other: Self) -> Bool { identity == other.identity }

    /// All writable variables, each with what a caller makes of its mangled name, in addresses of the process.
    ///
    /// Reads all symbols of the file: some tens of milliseconds for 20 MB. Empty where they cannot be read, whenever it is tried.
    ///
    /// - Parameter kind: Called with each name, without its final zero byte.
    /// - Throws: ``SymbolShortage`` where the process has run out of descriptors or memory.
    package func writableVariables<Kind>(
        _ kind: (UnsafeRawBufferPointer) -> Kind
    ) throws(SymbolShortage) -> [(range: Range<UInt>, kind: Kind)] {
        var found: [(range: Range<UInt>, kind: Kind)] = []
        do throws(UnusableSymbols) {
            let file = try ElfSymbols(path: path.isEmpty ? "/proc/self/exe" : path)
            try file.check(isBuildOf: identity)
            _ = try file.visitSymbols(limits: SymbolLimits()) { symbol, _, names in
                // STT_OBJECT is 1. Below SHN_LORESERVE and above 0 are the object's own sections.
                guard symbol.st_info & 0xF == 1, symbol.st_size > 0, symbol.st_shndx > 0, symbol.st_shndx < 0xFF00,
                    Int(symbol.st_name) < names.count
                else { return }
                let start = identity.bias &+ UInt(symbol.st_value)
                let (end, overflow) = start.addingReportingOverflow(UInt(symbol.st_size))
                guard !overflow, writable.contains(where: { $0.contains(start) }) else { return }
                names.withUnsafeBytes { names in
                    let rest = UnsafeRawBufferPointer(rebasing: names[Int(symbol.st_name)...])
                    guard let first = rest.baseAddress else { return }
                    let length = strnlen(first.assumingMemoryBound(to: CChar.self), rest.count)
                    found.append((start..<end, kind(UnsafeRawBufferPointer(start: first, count: length))))
                }
            }
        } catch {
            if error.isTemporary { throw SymbolShortage(description: error.description) }
            return []
        }
        return found
    }
}
#endif
