#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc
import Testing

@testable import RetainPaths

/// The buffers of C's files, which contain data and stale words.
@Suite(.disabledUnderSanitizers) struct EngineFileBufferTests {
    /// Retains a leaf that nothing holds, and writes its address into the buffer of a file.
    @inline(never)
    private static func leak(intoBufferOf file: UnsafeMutablePointer<FILE>) -> UInt64 {
        // Safe because `release` balances the retain.
        let leaf = Unmanaged.passRetained(EngineLeaf())
        var address = UInt(bitPattern: leaf.toOpaque())
        // Safe because `fwrite` reads one word, which is `address`.
        withUnsafePointer(to: &address) { _ = fwrite($0, MemoryLayout<UInt>.size, 1, file) }
        return ~UInt64(address)
    }

    private static func release(_ inverted: UInt64) {
        guard let address = UnsafeRawPointer(bitPattern: UInt(~inverted)) else { preconditionFailure("a null word") }
        // Safe because it balances the retain in `leak`.
        Unmanaged<EngineLeaf>.fromOpaque(address).release()
    }

    @Test func bufferOfAnOpenFileHoldsNothing() async throws {
        let file = try #require(fopen("/dev/null", "w"))
        defer { fclose(file) }
        let leaf = Self.leak(intoBufferOf: file)
        defer { Self.release(leaf) }
        let buffer = try #require(file.pointee._IO_buf_base)
        let finding = try #require(try await Engine.findings([leaf]).first)
        #expect(!finding.steps.contains { UInt($0.address) == UInt(bitPattern: buffer) }, "\(finding.steps)")
    }

    /// The program may have allocated more than the buffer.
    ///
    /// A stale word elsewhere, as in the memory of the test's own task, may hide that the buffer holds a leaf.
    @Test func bufferOfTheProgramHolds() async throws {
        let buffer = try #require(malloc(4096)?.assumingMemoryBound(to: CChar.self))
        // Safe because the file is closed before the buffer is freed: deferred calls run in the opposite order.
        defer { free(buffer) }
        let file = try #require(fopen("/dev/null", "w"))
        defer { fclose(file) }
        #expect(setvbuf(file, buffer, _IOFBF, 4096) == 0)
        let leaves = (0..<12).map { _ in Self.leak(intoBufferOf: file) }
        defer { for leaf in leaves { Self.release(leaf) } }
        let findings = try await Engine.findings(leaves)
        let held = findings.filter { $0.steps.contains { UInt($0.address) == UInt(bitPattern: buffer) } }
        #expect(held.count >= 4, "\(findings.map(\.steps))")
    }
}
#endif
