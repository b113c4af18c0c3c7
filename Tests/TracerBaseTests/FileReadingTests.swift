import Foundation
import Testing

@testable import TracerBase

/// Files that are read with a limit, and errors of the system.
@Suite struct FileReadingTests {
    /// A file with a content, which is deleted with this object.
    private final class File {
        let path: String

        init(_ content: String) throws {
            path = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString)").path
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func wholeFileIsReadUpToTheLimit() throws {
        let file = try File("content")
        #expect(try SmallFile.bytes(at: file.path, limit: 7) == Array("content".utf8))
        #expect(throws: SmallFile.Failure.tooLong) { try SmallFile.bytes(at: file.path, limit: 6) }
        let empty = try File("")
        #expect(try SmallFile.bytes(at: empty.path, limit: 0) == [])
        withExtendedLifetime((file, empty)) {}
    }

    @Test func failuresAreToldApart() throws {
        #expect(throws: SmallFile.Failure.cannotOpen(SystemError(ENOENT))) {
            try SmallFile.bytes(at: "/nonexistent/file", limit: 1)
        }
        #expect(throws: SmallFile.Failure.notRegular) { try SmallFile.bytes(at: "/tmp", limit: 1) }
        #expect(throws: SmallFile.Failure.notRegular) { try SmallFile.bytes(at: "/dev/zero", limit: 1) }
    }

    @Test func namedPipeIsNotWaitedFor() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        #expect(throws: SmallFile.Failure.notRegular) { try SmallFile.bytes(at: path, limit: 1) }
    }

    @Test func partsAreCopied() throws {
        let path = try File("0123456789")
        let file = try OpenFile(path.path)
        #expect(file.isRegular && file.size == 10)
        #expect(try file.bytes(atMost: 3, at: 4) == Array("456".utf8))
        #expect(try file.bytes(atMost: 100, at: 8) == Array("89".utf8))
        #expect(try file.bytes(atMost: 100, at: 11).isEmpty)
        #expect(try file.bytes(atMost: 0).isEmpty)
        withExtendedLifetime(path) {}
    }

    @Test func filesOfTheKernelAreReadToTheirEnds() throws {
        let map = try OpenFile("/proc/self/maps").bytes(atMost: 1 << 20)
        #expect(map.count > 4096 && map.last == UInt8(ascii: "\n"))
    }

    @Test func permissionsAreThoseOfTheFile() throws {
        let path = try File("x")
        try #require(chmod(path.path, 0o640) == 0)
        #expect(try OpenFile(path.path).permissions == 0o640)
        withExtendedLifetime(path) {}
    }

    @Test func errorsHaveTheSystemsTextAndNumber() {
        #expect(SystemError(ENOENT).description == "No such file or directory (errno 2)")
        #expect(SystemError(ENOSPC).text == "No space left on device")
        #expect(SystemError(12345).description == "Unknown error 12345 (errno 12345)")
        #expect(SystemError(EMFILE).isShortage && !SystemError(EACCES).isShortage)
    }
}
