import TracerBase

#if os(Linux) && _pointerBitWidth(_64)
import CTracerSymbols

/// Reads the symbols of a 64-bit ELF file, from `.symtab` or else `.dynsym`.
///
/// The format is defined in https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html. The file is not trusted:
/// every offset and count is checked against the file's size and the limits.
struct ElfSymbols: ~Copyable {
    /// The number of symbols that are read at a time.
    private static let batch: UInt64 = 65_536
    /// The most memory that a symbol takes during sorting, in bytes.
    ///
    /// Counts an array that has just grown, and the sorted array.
    private static let bytesOfSymbol = UInt64(3 * MemoryLayout<SymbolTable.Raw>.stride + 16)
    /// The most sections, more than any linker creates; they are read at once.
    private static let sectionLimit: UInt64 = 100_000
    /// The largest notes segment, in bytes; a build id has 20 bytes, and all notes of a segment have some hundreds.
    private static let noteLimit: UInt64 = 65_536

    private let file: ReadOnlyFile
    private let header: Elf64_Ehdr

    /// Opens an object file of this machine's class and byte order.
    init(path: String) throws(UnusableSymbols) {
        let file = try ReadOnlyFile(path: path)
        let bytes = try file.bytes(at: 0, count: UInt64(MemoryLayout<Elf64_Ehdr>.size), of: "the ELF header")
        // ELFCLASS64 is 2. ELFDATA2LSB is 1, ELFDATA2MSB 2.
        let byteOrder: UInt8 = UInt16(1).littleEndian == 1 ? 1 : 2
        guard bytes[..<6].elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, byteOrder]) else {
            throw UnusableSymbols("'\(path)' is not a 64-bit ELF file for this machine.", hint: "No action is needed.")
        }
        header = bytes.withUnsafeBytes { $0.loadUnaligned(as: Elf64_Ehdr.self) }
        self.file = file
    }

    /// Throws if the file is another build than the loaded object.
    ///
    /// The program headers must be equal, and so must the build ids if the object in memory has one.
    func check(isBuildOf identity: ObjectIdentity) throws(UnusableSymbols) {
        let stride = UInt64(MemoryLayout<Elf64_Phdr>.stride)
        let bytes = try file.bytes(
            at: header.e_phoff, count: UInt64(header.e_phnum) * stride, of: "the program header table")
        guard header.e_phentsize == UInt16(stride), bytes == identity.programHeaders else { throw otherBuild() }
        guard let expected = identity.buildID else { return }
        for index in 0..<Int(header.e_phnum) {
            let segment = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: index * Int(stride), as: Elf64_Phdr.self)
            }
            guard segment.p_type == UInt32(PT_NOTE), segment.p_filesz <= Self.noteLimit else { continue }
            let notes = try file.bytes(at: segment.p_offset, count: segment.p_filesz, of: "a note segment")
            if let found = notes.withUnsafeBytes({ BuildID(inNotes: $0, alignment: segment.p_align) }) {
                guard found == expected else { throw otherBuild() }
                return
            }
        }
        throw otherBuild()
    }

    private borrowing func otherBuild() -> UnusableSymbols {
        UnusableSymbols(
            "'\(file.path)' is not the build that the program loaded.",
            hint: "Restart the program to see the names of its symbols.")
    }

    /// Reads and sorts the symbols.
    func table(limits: SymbolLimits) throws(UnusableSymbols) -> SymbolTable {
        var raw: [SymbolTable.Raw] = []
        let names = try visitSymbols(limits: limits, keeping: Self.bytesOfSymbol) { symbol, sections, names in
            if let usable = Self.usable(symbol, sections: sections, names: names) { raw.append(usable) }
        }
        return SymbolTable(raw, names: names)
    }

    /// Calls `visit` with each symbol, the sections and the names of all symbols, and returns the names.
    ///
    /// - Parameter keptBytes: The memory that the caller keeps for each symbol.
    func visitSymbols(
        limits: SymbolLimits, keeping keptBytes: UInt64 = 0, _ visit: (Elf64_Sym, [Elf64_Shdr], [UInt8]) -> Void
    ) throws(UnusableSymbols) -> [UInt8] {
        let sections = try sections()
        guard
            let symbols = sections.first(where: { $0.sh_type == UInt32(SHT_SYMTAB) })
                ?? sections.first(where: { $0.sh_type == UInt32(SHT_DYNSYM) })
        else {
            throw UnusableSymbols("'\(file.path)' has no symbols.", hint: "Do not strip the file.")
        }
        let stride = UInt64(MemoryLayout<Elf64_Sym>.stride)
        guard symbols.sh_entsize == stride, symbols.sh_link < sections.count,
            sections[Int(symbols.sh_link)].sh_type == UInt32(SHT_STRTAB)
        else {
            throw UnusableSymbols(
                "'\(file.path)': the symbol table is invalid: entries of \(symbols.sh_entsize) bytes, names in section "
                    + "\(symbols.sh_link).", hint: "The file is damaged; rebuild or reinstall it.")
        }
        let nameTable = sections[Int(symbols.sh_link)]
        let count = symbols.sh_size / stride
        try check(count, of: "symbols", against: limits.symbolsPerObject)
        try check(nameTable.sh_size, of: "bytes of symbol names", against: limits.nameBytesPerObject)
        let needed = nameTable.sh_size + min(count, Self.batch) * stride + count * keptBytes
        guard ProcessLimits.hasRoom(for: Int(needed)) else {
            throw UnusableSymbols(outOfMemoryFor: "\(count) symbols of '\(file.path)'")
        }
        let names = try file.bytes(at: nameTable.sh_offset, count: nameTable.sh_size, of: "the symbol names")

        var first: UInt64 = 0
        while first < count {
            let taken = min(Self.batch, count - first)
            let (offset, overflow) = symbols.sh_offset.addingReportingOverflow(first * stride)
            let bytes = try file.bytes(
                at: overflow ? .max : offset, count: taken * stride, of: "the symbol table")
            bytes.withUnsafeBytes { bytes in
                for index in 0..<Int(taken) {
                    visit(
                        bytes.loadUnaligned(fromByteOffset: index * Int(stride), as: Elf64_Sym.self), sections, names)
                }
            }
            first += taken
        }
        return names
    }

    /// Returns the ranges of the loaded sections with a name, in addresses of the file.
    func ranges(ofSectionsNamed name: String) throws(UnusableSymbols) -> [Range<UInt64>] {
        let sections = try sections()
        guard Int(header.e_shstrndx) < sections.count else { return [] }
        let table = sections[Int(header.e_shstrndx)]
        try check(table.sh_size, of: "bytes of section names", against: Int(Self.sectionLimit))
        let names = try file.bytes(at: table.sh_offset, count: table.sh_size, of: "the section names")
        let wanted = Array(name.utf8) + [0]
        return sections.compactMap { section in
            let (end, overflow) = section.sh_addr.addingReportingOverflow(section.sh_size)
            guard section.sh_flags & UInt64(SHF_ALLOC) != 0, !overflow, section.sh_size > 0,
                Int(section.sh_name) < names.count, names[Int(section.sh_name)...].starts(with: wanted)
            else { return nil }
            return section.sh_addr..<end
        }
    }

    private func sections() throws(UnusableSymbols) -> [Elf64_Shdr] {
        let stride = UInt64(MemoryLayout<Elf64_Shdr>.stride)
        guard header.e_shoff > 0, header.e_shentsize == UInt16(stride) else {
            throw UnusableSymbols("'\(file.path)' has no section table.", hint: "Do not strip the section table.")
        }
        var count = UInt64(header.e_shnum)
        if count == 0 {
            // With 65,280 or more sections the number is stored in the first section header.
            let first = try file.bytes(at: header.e_shoff, count: stride, of: "the first section header")
            count = first.withUnsafeBytes { $0.loadUnaligned(as: Elf64_Shdr.self).sh_size }
        }
        try check(count, of: "sections", against: Int(Self.sectionLimit))
        let bytes = try file.bytes(at: header.e_shoff, count: count * stride, of: "the section table")
        return bytes.withUnsafeBytes { bytes in
            (0..<Int(count)).map { bytes.loadUnaligned(fromByteOffset: $0 * Int(stride), as: Elf64_Shdr.self) }
        }
    }

    private borrowing func check(_ count: UInt64, of what: String, against limit: Int) throws(UnusableSymbols) {
        guard count <= UInt64(limit) else {
            throw UnusableSymbols(
                "'\(file.path)' has \(count) \(what), more than the limit of \(limit).",
                hint: "If the file is intact, raise the limit.")
        }
    }

    /// Returns the table entry of a symbol; `nil` unless it is a function or variable with an address.
    private static func usable(_ symbol: Elf64_Sym, sections: [Elf64_Shdr], names: [UInt8]) -> SymbolTable.Raw? {
        // STT_NOTYPE 0, STT_OBJECT 1, STT_FUNC 2, STT_GNU_IFUNC 10. The values of thread-local variables are not
        // addresses.
        let kind: UInt32
        switch symbol.st_info & 0xF {
        case 2, 10: kind = 0
        case 1: kind = 1
        case 0: kind = 2
        default: return nil
        }
        // 0 is an undefined symbol. Values from SHN_LORESERVE on, such as those of absolute and common symbols, are not
        // sections.
        guard symbol.st_shndx > 0, symbol.st_shndx < 0xFF00, Int(symbol.st_shndx) < sections.count,
            symbol.st_name > 0, Int(symbol.st_name) < names.count,
            !symbol.st_value.addingReportingOverflow(symbol.st_size).overflow
        else { return nil }
        let name = Int(symbol.st_name)
        // STB_LOCAL is 0.
        let isLocal = symbol.st_info >> 4 == 0
        if kind == 2, isLocal, isMappingSymbol(names[name...]) { return nil }
        // Single bytes, because slices are slow in an unoptimised program.
        var underscores = 0
        while underscores < 3, name + underscores < names.count, names[name + underscores] == 0x5F { underscores += 1 }
        let section = sections[Int(symbol.st_shndx)]
        let (sectionEnd, overflow) = section.sh_addr.addingReportingOverflow(section.sh_size)
        // Preferred are a symbol with a size, a function over a variable, `write` over `__write`, and an exported name
        // over a local one.
        let rank = (symbol.st_size == 0 ? 64 : 0) + kind * 16 + UInt32(underscores) * 2 + (isLocal ? 1 : 0)
        return SymbolTable.Raw(
            start: symbol.st_value, sectionEnd: overflow ? 0 : sectionEnd, size: symbol.st_size,
            name: symbol.st_name, rank: rank)
    }

    /// Whether a name is an Arm mapping symbol, which marks code or data and names nothing: `$x` or `$d`, alone or
    /// followed by a dot and a suffix.
    private static func isMappingSymbol(_ name: some Collection<UInt8>) -> Bool {
        let bytes = Array(name.prefix(3))
        return bytes.count == 3 && bytes[0] == 0x24 && (bytes[1] == 0x78 || bytes[1] == 0x64)
            && (bytes[2] == 0 || bytes[2] == 0x2E)
    }
}
#endif
