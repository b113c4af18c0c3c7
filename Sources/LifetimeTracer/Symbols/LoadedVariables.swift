#if os(Linux) && _pointerBitWidth(_64)
import CTracerSymbols

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The process lacks a resource that is needed to read symbols.
package struct SymbolShortage: Error, CustomStringConvertible {
    /// The missing resource and a remedy.
    package let description: String
}

/// The variables of a loaded object, with their addresses and names.
package struct LoadedVariables: Sendable {
    /// Changes when an object is loaded or unloaded.
    package struct Generation: Sendable, Equatable {
        fileprivate let loaded: LoadedObjects.Generation

        /// The current generation.
        package static var current: Self { Self(loaded: .current) }
    }

    /// The path as the loader knows it; empty for the program itself.
    package var path: String { identity.path }
    /// The writable segments, in addresses of the process.
    package let writable: [Range<UInt>]
    /// The segments with machine code, in addresses of the process.
    package let code: [Range<UInt>]

    private let identity: ObjectIdentity

    /// Returns the variables of all loaded objects, the program first.
    package static func ofAllObjects() -> [Self] {
        LoadedObjects(atMost: SymbolLimits().objects).identities.map(Self.init)
    }

    private init(_ identity: ObjectIdentity) {
        self.identity = identity
        writable = Self.segments(of: identity, with: UInt32(PF_W))
        code = Self.segments(of: identity, with: UInt32(PF_X))
    }

    private static func segments(of identity: ObjectIdentity, with flag: UInt32) -> [Range<UInt>] {
        let stride = MemoryLayout<Elf64_Phdr>.stride
        return identity.programHeaders.withUnsafeBytes { bytes in
            (0..<bytes.count / stride).compactMap { index in
                let header = bytes.loadUnaligned(fromByteOffset: index * stride, as: Elf64_Phdr.self)
                guard header.p_type == UInt32(PT_LOAD), header.p_flags & flag != 0 else { return nil }
                let start = identity.bias &+ UInt(header.p_vaddr)
                return start..<start &+ UInt(header.p_memsz)
            }
        }
    }

    /// Whether this is the same object at the same address, as far as can be told without reading its file.
    package func isSame(as other: Self) -> Bool { identity == other.identity }

    /// Returns all writable variables in addresses of the process, each with the kind that `kind` derives from its
    /// mangled name.
    ///
    /// Reads all symbols of the file, which takes some tens of milliseconds for 20 MB. The result is empty if the
    /// symbols are permanently unreadable.
    ///
    /// - Parameter kind: Called with each name, without its terminating zero byte.
    /// - Throws: ``SymbolShortage`` if the process lacks descriptors or memory.
    package func writableVariables<Kind>(
        _ kind: (UnsafeRawBufferPointer) -> Kind
    ) throws(SymbolShortage) -> [(range: Range<UInt>, kind: Kind)] {
        var found: [(range: Range<UInt>, kind: Kind)] = []
        do throws(UnusableSymbols) {
            let file = try ElfSymbols(path: path.isEmpty ? "/proc/self/exe" : path)
            try file.check(isBuildOf: identity)
            _ = try file.visitSymbols(limits: SymbolLimits()) { symbol, _, names in
                // STT_OBJECT is 1. Indices above 0 and below SHN_LORESERVE are sections of the object.
                guard symbol.st_info & 0xF == 1, symbol.st_size > 0, symbol.st_shndx > 0, symbol.st_shndx < 0xFF00,
                    Int(symbol.st_name) < names.count
                else { return }
                let start = identity.bias &+ UInt(symbol.st_value)
                let (end, overflow) = start.addingReportingOverflow(UInt(symbol.st_size))
                guard !overflow, writable.contains(where: { $0.contains(start) }) else { return }
                // Safe: `names` is a copy of the string table, and `strnlen` stays within it.
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
