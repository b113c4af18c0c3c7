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

    @Test func fullDiskEndsWithStatusTwoAndAReason() async throws {
        try await Self.withServer { url in
            let captures = [["heap", url], ["leaks", url], ["tasks", url]]
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
                var ends: [Int32] = [0, 0]
                try #require(pipe(&ends) == 0)
                // Other programs that are started meanwhile must not inherit the ends of the pipe; otherwise the pipe
                // would have a reader.
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                close(ends[0])
                let run = try ProgramRun(words, standardOutput: .descriptor(ends[1]))
                close(ends[1])
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
