import Foundation
import LifetimeTracer
import LifetimeTracerServer
import Testing

@testable import tracer_server

/// The behaviour of the real commands if their output cannot be written.
@Suite(.timeLimit(.minutes(20))) struct OutputProgramTests {
    private static let helps =
        [["--help"], ["--version"]]
        + TracerServerProgram.commands.map { [String($0.call.split(separator: " ")[1]), "--help"] }

    private static func withServer(_ body: (String) async throws -> Void) async throws {
        let server = TracerServer(address: ":0", registry: LifetimeRegistry())
        try server.start()
        defer { server.stop() }
        try await body(try #require(server.url))
    }

    private static func commands(_ url: String) -> [[String]] {
        helps + [["check", url], ["check", url, "--json"], ["check", url, "--junit", "-"], ["top", url]]
    }

    /// Opens the writing end of a pipe that has no reader.
    ///
    /// A program that another test starts meanwhile could inherit the reading end of `pipe()`, which has no
    /// close-on-exec flag at first. The ends of a named pipe are opened with the flag.
    private static func pipeWithoutReader() throws -> Int32 {
        let path = FileManager.default.temporaryDirectory.appending(path: "lifetime-tracer-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        try #require(writer >= 0)
        return writer
    }

    @Test func fullDiskEndsWithStatusTwoAndAReason() async throws {
        try await Self.withServer { url in
            // A capture waits for the searches of other tests.
            let captures = ["heap", "leaks", "tasks"].map { [$0, url, "--timeout", "3600"] }
            for words in Self.commands(url) + captures {
                let run = try ProgramRun(words, standardOutput: .file("/dev/full"))
                #expect(try await run.exitStatus() == 2, "\(words)")
                // Commands that take a capture print its progress before.
                let reason = "tracer-server: cannot write to standard output: No space left on device (errno 28)\n"
                let isAsExpected =
                    captures.contains(words) ? run.standardError.hasSuffix(reason) : run.standardError == reason
                #expect(isAsExpected, "\(words): \(run.standardError)")
            }
        }
    }

    @Test func closedStandardOutputEndsWithStatusTwoAndAReason() async throws {
        try await Self.withServer { url in
            for words in Self.commands(url) {
                let run = try ProgramRun(words, standardOutput: .closed)
                #expect(try await run.exitStatus() == 2, "\(words)")
                #expect(run.standardError.contains("cannot write to standard output"), "\(words)")
            }
        }
    }

    @Test func brokenPipeEndsTheProgramWithSIGPIPE() async throws {
        try await Self.withServer { url in
            for words in Self.commands(url) {
                let writer = try Self.pipeWithoutReader()
                let run = try ProgramRun(words, standardOutput: .descriptor(writer))
                close(writer)
                #expect(try await run.exitStatus() == -SIGPIPE, "\(words)")
                #expect(run.standardError.isEmpty)
            }
        }
    }

    @Test func unwritableReportEndsWithStatusTwo() async throws {
        try await Self.withServer { url in
            for (file, reason) in [
                ("/dev/full", "No space left on device (errno 28)"),
                ("/nonexistent/x.xml", "No such file or directory (errno 2)"),
                ("/", "Is a directory (errno 21)"),
            ] {
                let run = try ProgramRun(["check", url, "--junit", file])
                #expect(try await run.exitStatus() == 2)
                #expect(run.standardError == "tracer-server: cannot write to \(file): \(reason)\n")
            }
        }
    }
}
