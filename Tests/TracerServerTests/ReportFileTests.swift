import Foundation
import Testing

@testable import tracer_server

@Suite struct ReportFileTests {
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

    @Test func reportFileIsCreatedAndReplacedWithoutLeftovers() throws {
        let folder = try Folder()
        try ReportFile.write("one", to: "\(folder.path)/x.xml")
        #expect(folder.text("x.xml") == "one")
        try ReportFile.write("two", to: "\(folder.path)/x.xml")
        #expect(folder.text("x.xml") == "two" && folder.names == ["x.xml"])
    }

    /// A reader that has the old file open continues to read the old text.
    @Test func openReaderKeepsTheOldText() throws {
        let folder = try Folder()
        try ReportFile.write("old text", to: "\(folder.path)/x")
        let old = try #require(FileHandle(forReadingAtPath: "\(folder.path)/x"))
        try ReportFile.write("new", to: "\(folder.path)/x")
        #expect(try old.readToEnd() == Data("old text".utf8))
    }

    @Test func writingToASymbolicLinkKeepsTheLink() throws {
        let folder = try Folder()
        try ReportFile.write("one", to: "\(folder.path)/real")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/real")
        try ReportFile.write("two", to: "\(folder.path)/link")
        #expect(folder.text("real") == "two" && folder.names == ["link", "real"])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link") == "\(folder.path)/real")
    }

    @Test func writingToADeviceKeepsTheDevice() throws {
        try ReportFile.write("text", to: "/dev/null")
        let error = #expect(throws: OutputFailure.self) { try ReportFile.write("text", to: "/dev/full") }
        #expect(error?.description == "cannot write to /dev/full: No space left on device")
        var status = stat()
        #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func missingFolderIsReported() throws {
        let error = #expect(throws: OutputFailure.self) { try ReportFile.write("text", to: "/nonexistent/x.xml") }
        #expect(error?.description == "cannot write to /nonexistent/x.xml: No such file or directory")
    }
}
