#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Foundation
import Testing

/// A program whose memory does not come from glibc runs on, and is told that it can be neither captured nor searched.
@Suite(.disabledUnderSanitizers) struct OtherAllocatorTests {
    @Test(arguments: [[], ["--heap"]]) func searchNamesTheOtherAllocator(_ options: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "allocator-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = folder.appending(path: "libOtherAllocator.so").path
        try Self.compile("OtherAllocator/other_allocator.c", to: library)
        try await expectRefusal(of: "libOtherAllocator.so", options, ["LD_PRELOAD": library])
    }

    /// glibc's library that checks the heap has an allocator of its own.
    @Test func searchNamesTheAllocatorThatChecksTheHeap() async throws {
        try await expectRefusal(
            of: "libc_malloc_debug.so.0", [],
            ["LD_PRELOAD": "libc_malloc_debug.so.0", "GLIBC_TUNABLES": "glibc.malloc.check=3"])
    }

    private func expectRefusal(
        of library: String, _ options: [String], _ environment: [String: String]
    ) async throws {
        let outcome = try await ShapesProgram.run(options, of: "retain-limits", environment: environment)
        #expect(outcome.status == 0 && outcome.lines.last == "alive", "\(outcome)")
        let answers = outcome.lines.filter { $0.hasPrefix("refused: ") || $0 == "right" || $0.hasPrefix("wrong") }
        let reason = "malloc comes from '\(library)'; the search supports only glibc's."
        #expect(!answers.isEmpty && answers.allSatisfy { $0.contains(reason) }, "\(outcome)")
    }

    /// Compiles a file of C in the folder of the tests, which no product of the package contains.
    private static func compile(_ source: String, to library: String) throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-O1", "-shared", "-fPIC", tests.appending(path: source).path, "-o", library]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "\(source)")
    }
}
#endif
