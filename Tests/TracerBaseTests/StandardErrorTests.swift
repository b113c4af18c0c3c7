#if canImport(Glibc)
import Foundation
import Glibc
import Testing
import TracerBase

/// Where the tracer's messages go.
@Suite struct StandardErrorTests {
    /// A program that closes its standard error and opens a file gets the same number for the file.
    @Test func messagesAreNotWrittenToAFileOfTheProgram() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (log, own) = (folder.appending(path: "log"), folder.appending(path: "own"))

            func replaceStandardError(by file: URL) {
                close(STDERR_FILENO)
                #expect(open(file.path, O_CREAT | O_WRONLY | O_APPEND, 0o600) == STDERR_FILENO)
            }
            replaceStandardError(by: log)
            StandardError.keepToItsFile()
            StandardError.writeLine("one")
            replaceStandardError(by: own)
            StandardError.writeLine("two")
            close(STDERR_FILENO)
            StandardError.writeLine("three")
            replaceStandardError(by: log)
            StandardError.writeLine("four")
            let (logged, written) = (try String(contentsOf: log, encoding: .utf8), try Data(contentsOf: own))
            #expect(logged == "LifetimeTracer: one\nLifetimeTracer: four\n")
            #expect(written.isEmpty)
        }
    }

    @Test func messagesGoNowhereIfThereWasNoStandardError() async {
        await #expect(processExitsWith: .success) {
            let own = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: own) }
            close(STDERR_FILENO)
            StandardError.keepToItsFile()
            #expect(open(own.path, O_CREAT | O_WRONLY, 0o600) == STDERR_FILENO)
            StandardError.writeLine("one")
            let written = try Data(contentsOf: own)
            #expect(written.isEmpty)
        }
    }
}
#endif
