import Foundation
import Testing
import TracerBase

/// Files that are replaced atomically.
@Suite struct FileReplacementTests {
    /// A temporary folder, which is deleted with this object.
    private final class Folder {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString.prefix(8))").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

        func text(_ name: String) -> String? {
            (FileManager.default.contents(atPath: "\(path)/\(name)")).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func fileIsCreatedAndReplacedWithoutLeftovers() throws {
        let folder = try Folder()
        try FileReplacement.write(Array("one".utf8), to: "\(folder.path)/x.xml")
        #expect(folder.text("x.xml") == "one")
        try FileReplacement.write(Array("two".utf8), to: "\(folder.path)/x.xml")
        #expect(folder.text("x.xml") == "two" && folder.names == ["x.xml"])
    }

    /// A reader that has the old file open continues to read the old text.
    @Test func openReaderKeepsTheOldText() throws {
        let folder = try Folder()
        try FileReplacement.write(Array("old text".utf8), to: "\(folder.path)/x")
        let old = try #require(FileHandle(forReadingAtPath: "\(folder.path)/x"))
        try FileReplacement.write(Array("new".utf8), to: "\(folder.path)/x")
        #expect(try old.readToEnd() == Data("old text".utf8))
    }

    @Test func writingToASymbolicLinkKeepsTheLink() throws {
        let folder = try Folder()
        try FileReplacement.write(Array("one".utf8), to: "\(folder.path)/real")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/real")
        try FileReplacement.write(Array("two".utf8), to: "\(folder.path)/link")
        #expect(folder.text("real") == "two" && folder.names == ["link", "real"])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link") == "\(folder.path)/real")
    }

    @Test func fileBehindADanglingLinkIsCreated() throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/real")
        try FileReplacement.write(Array("one".utf8), to: "\(folder.path)/link")
        #expect(folder.text("real") == "one" && folder.names == ["link", "real"])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link") == "\(folder.path)/real")
    }

    @Test func writingToADeviceKeepsTheDevice() throws {
        try FileReplacement.write(Array("text".utf8), to: "/dev/null")
        let error = #expect(throws: SystemError.self) { try FileReplacement.write(Array("text".utf8), to: "/dev/full") }
        #expect(error?.description == "No space left on device (errno 28)")
        var status = stat()
        #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func missingFolderIsReported() throws {
        let error = #expect(throws: SystemError.self) {
            try FileReplacement.write(Array("text".utf8), to: "/nonexistent/x.xml")
        }
        #expect(error?.description == "No such file or directory (errno 2)")
    }
}
