#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Memory that is mapped with read permission and yet cannot be read.
@Suite(.disabledUnderSanitizers) struct EngineUnreadableTests {
    /// The kernel maps pages for clock sources that this machine does not have.
    @Test func referencesIntoKernelPagesDoNotBreakTheSearch() async throws {
        let pages = Self.kernelPages()
        #expect(!pages.isEmpty)
        try await expectAnAnswer(amidReferencesTo: pages)
    }

    /// A file may have been truncated after it was mapped.
    @Test(arguments: [MAP_PRIVATE, MAP_SHARED]) func referencesBeyondEndOfMappedFileDoNotBreakTheSearch(kind: CInt)
        async throws
    {
        let stream = try #require(tmpfile())
        defer { fclose(stream) }
        let file = fileno(stream)
        try #require(ftruncate(file, 3 * 4096) == 0)
        let start = try #require(mmap(nil, 3 * 4096, PROT_READ, kind, file, 0))
        defer { munmap(start, 3 * 4096) }
        try #require(ftruncate(file, 4096) == 0)
        try await expectAnAnswer(amidReferencesTo: (0..<3).map { UInt(bitPattern: start + $0 * 4096) })
    }

    /// Fills blocks with words that look like objects with types in the given pages, and expects an answer for another
    /// object.
    private func expectAnAnswer(amidReferencesTo pages: [UInt]) async throws {
        let leaf = Engine.plant("unreadable")
        defer { Engine.uproot("unreadable") }
        let blocks = pages.flatMap { page in
            ([0, 16, 2048, 4064] as [UInt]).compactMap { offset -> UnsafeMutablePointer<UInt>? in
                let block = malloc(64)?.bindMemory(to: UInt.self, capacity: 8)
                block?.initialize(repeating: page + offset, count: 8)
                return block
            }
        }
        defer { for block in blocks { free(block) } }
        let findings = try await Engine.findings([Engine.inverted(leaf)])
        #expect(findings.count == 1 && findings[0].status == .reachable, "\(findings.map(\.status))")
    }

    private static func kernelPages() -> [UInt] {
        guard let file = fopen("/proc/self/maps", "r") else { return [] }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        var pages: [UInt] = []
        while fgets(&line, 4096, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.contains("[v"), let fields = text.split(separator: " ").first?.split(separator: "-"),
                fields.count == 2, let start = UInt(fields[0], radix: 16), let end = UInt(fields[1], radix: 16),
                text.contains(" r")
            else { continue }
            pages += stride(from: start, to: end, by: 4096)
        }
        return pages
    }
}
#endif
