#if os(Linux) && canImport(Glibc)
import Glibc
import Testing

@testable import LifetimeTracer

@Suite struct ElfSymbolsTests {
    // STT_FUNC with STB_GLOBAL is 0x12, with STB_LOCAL 2; STT_OBJECT 0x11; STT_NOTYPE 0; STT_TLS 0x16.
    private static let image = ElfImage(symbols: [
        ("second", 0x1100, 0x40, 0x12), ("first", 0x1000, 0x80, 0x12), ("__first", 0x1000, 0x80, 0x12),
        ("label", 0x1010, 0, 0), ("unsized", 0x1200, 0, 0x12), ("$x", 0x1201, 0, 0), ("variable", 0x2000, 8, 0x11),
        ("thread", 0x2100, 8, 0x16), ("last", 0x2F00, 0, 0x12), ("endless", 0x2F80, .max, 0x12),
        ("outer", 0x1400, 0x100, 0x12), ("nested", 0x1440, 0x10, 2),
    ])

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func table(_ bytes: [UInt8], limits: SymbolLimits = SymbolLimits()) throws -> SymbolTable {
        try ElfSymbols(path: folder.write(bytes, to: "image")).table(limits: limits)
    }

    @Test(arguments: [
        (0xFFF, nil), (0x1000, "first"), (0x1010, "first"), (0x107F, "first"), (0x1080, nil), (0x1100, "second"),
        (0x113F, "second"), (0x1140, nil), (0x1200, "unsized"), (0x13FF, "unsized"), (0x1400, "outer"),
        (0x1440, "nested"), (0x1450, "outer"), (0x14FF, "outer"), (0x1500, nil), (0x2000, "variable"), (0x2008, nil),
        (0x2100, nil), (0x2F90, "last"), (0x2FFF, "last"), (0x3000, nil), (UInt64.max, nil),
    ])
    func addressIsResolvedToItsSymbolOrToNone(address: UInt64, name: String?) throws {
        #expect(try table(Self.image.bytes).find(address)?.name == name)
    }

    @Test func strippedFileYieldsDynamicSymbolsOrAnError() throws {
        var image = Self.image
        image.tableType = 11
        #expect(try table(image.bytes).find(0x1000)?.name == "first")
        image.tableType = 1
        let error = #expect(throws: UnusableSymbols.self) { try table(image.bytes) }
        #expect(error?.description.hasSuffix("has no symbols. Do not strip the file.") == true)
    }

    @Test func aTruncatedFileIsRefused() throws {
        let bytes = Self.image.bytes
        for length in bytes.indices {
            #expect(throws: UnusableSymbols.self, "\(length) bytes") { try table(Array(bytes[..<length])) }
        }
    }

    /// Overwrites every field of eight, four and two bytes with values that would lead out of the file or the memory.
    @Test func corruptFieldsAreRefusedOrHarmless() throws {
        let bytes = Self.image.bytes
        let addresses: [UInt64] = [0, 0x1000, 0x1010, 0x2000, 0x2F90, .max]
        var refused = 0
        for width in [8, 4, 2] {
            for start in stride(from: 6, through: bytes.count - width, by: 2) {
                for high in [0xFF, 0x7F] as [UInt8] {
                    var spoilt = bytes
                    for index in start..<(start + width) { spoilt[index] = 0xFF }
                    spoilt[start + width - 1] = high
                    do {
                        let found = try table(spoilt)
                        for address in addresses { _ = found.find(address) }
                    } catch is UnusableSymbols {
                        refused += 1
                    }
                }
            }
        }
        #expect(refused > 100)
    }

    @Test func refusalOfAnExcessiveSizeStatesTheSize() throws {
        var bytes = Self.image.bytes
        // The field sh_size of the third section, at offset 32 of its header.
        let size = bytes.count - 2 * ElfImage.sectionSize + 32
        for index in size..<(size + 5) { bytes[index] = 0xFF }
        let tooMany = #expect(throws: UnusableSymbols.self) { try table(bytes) }
        #expect(tooMany?.description.contains("45812984490 symbols, more than the limit of 4000000") == true)
        for index in (size + 3)..<(size + 5) { bytes[index] = 0 }
        let pastEnd = #expect(throws: UnusableSymbols.self) { try table(bytes) }
        #expect(pastEnd?.description.contains("past the end of the file (\(bytes.count) bytes)") == true)
    }

    @Test func symbolAndNameLimitsAreEnforced() throws {
        var limits = SymbolLimits()
        limits.symbolsPerObject = 12
        #expect(throws: UnusableSymbols.self) { try table(Self.image.bytes, limits: limits) }
        limits.symbolsPerObject = 13
        #expect(try table(Self.image.bytes, limits: limits).count == 7)
        limits.nameBytesPerObject = 10
        #expect(throws: UnusableSymbols.self) { try table(Self.image.bytes, limits: limits) }
    }

    @Test func fileThatIsNotAnObjectFileIsRefused() throws {
        #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        for path in [folder.path, "\(folder.path)/pipe", "\(folder.path)/none", "/dev/zero", "/proc/self/maps", ""] {
            #expect(throws: UnusableSymbols.self, "\(path)") { _ = try ElfSymbols(path: path) }
        }
        #expect(throws: UnusableSymbols.self) {
            try table(Array("#!/bin/sh\n".utf8) + [UInt8](repeating: 0, count: 99))
        }
        var narrow = Self.image.bytes
        narrow[4] = 1
        #expect(throws: UnusableSymbols.self) { try table(narrow) }
    }
}
#endif
