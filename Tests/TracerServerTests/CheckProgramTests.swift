import Foundation
import LifetimeTracer
import LifetimeTracerDashboard
import LifetimeTracerServer
import RetainPaths
import Testing

@testable import tracer_server

/// The real `check` against real servers: its exit status and output.
@Suite(.timeLimit(.minutes(20))) struct CheckProgramTests {
    @Test func exitStatusIsZeroWhenAllCountsAreWithinLimits() async throws {
        let demo = try await DemoRun()
        let check = try ProgramRun(["check", demo.base, "--wait", "20"])
        #expect(try await check.exitStatus() == 0)
        #expect(check.standardOutput.contains("within: 0 overdue, at most 0"))
        #expect(check.standardError.isEmpty)
    }

    @Test func exitStatusIsOneAndExceededLimitsAreNamed() async throws {
        let demo = try await DemoRun()
        _ = try await demo.play("keyboard-observer", .leaking)
        let check = try ProgramRun(["check", demo.base, "--max-live", "TextScreen=0"])
        #expect(try await check.exitStatus() == 1)
        #expect(check.standardOutput.contains("over:   1 overdue, at most 0"))
        #expect(check.standardOutput.contains("1 for tracer_server.TextScreen: removed from its parent"))
        #expect(check.standardOutput.contains("over:   1 live TextScreen, at most 0"))
        let allowed = try ProgramRun([
            "check", demo.base, "--max-overdue", "1", "--max-live", "tracer_server.TextScreen=1",
        ])
        #expect(try await allowed.exitStatus() == 0)
    }

    @Test func explainOptionNamesTheHolderOfAnOverdueInstance() async throws {
        let demo = try await DemoRun()
        _ = try await demo.play("keyboard-observer", .leaking)
        let check = try ProgramRun(["check", demo.base, "--explain"])
        let status = try await check.exitStatus()
        if case .unavailable(let reason) = await RetainPaths.availability() {
            #expect(status == 2)
            #expect(check.standardError.contains(reason), "\(check.standardError)")
            return
        }
        let said = check.standardOutput
        #expect(status == 1)
        #expect(said.contains("A notification centre keeps closure"), "\(said)")
    }

    @Test func exitStatusIsTwoForAnUnknownType() async throws {
        let server = TracerServer(address: ":0", registry: LifetimeRegistry())
        try server.start()
        defer { server.stop() }
        let check = try ProgramRun(["check", try #require(server.url), "--max-live", "Scren=0"])
        #expect(try await check.exitStatus() == 2)
        let said = check.standardError
        #expect(said.contains("result unknown: no type named \"Scren\" has been seen"), "\(said)")
        #expect(check.standardOutput.contains("within: 0 overdue, at most 0"))
    }

    @Test func exitStatusIsOneForOrphanedTokens() async throws {
        let demo = try await DemoRun()
        _ = try await demo.play("database-reload", .leaking)
        let check = try ProgramRun(["check", demo.base, "--max-overdue", "1", "--max-orphaned", "3"])
        #expect(try await check.exitStatus() == 1)
        #expect(check.standardOutput.contains("over:   4 orphaned tokens, at most 3"))
        #expect(
            check.standardOutput.contains(
                "3 for hub databaseChanged.append (owner type tracer_server.DetailScreen): owner deallocated"))
    }

    @Test func exitStatusIsTwoForAnUnreachableServer() async throws {
        let unused = HTTPServer(configuration: ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))) { _ in
            HTTPResponse(status: 200)
        }
        try unused.start()
        let url = try #require(unused.address?.url)
        unused.stop()
        let check = try ProgramRun(["check", url])
        #expect(try await check.exitStatus() == 2)
        #expect(check.standardError.contains("result unknown: cannot reach \(url)"), "\(check.standardError)")
        let socket = try ProgramRun(["check", "unix:/nonexistent/socket"])
        #expect(try await socket.exitStatus() == 2)
        #expect(socket.standardError.contains("unix:/nonexistent/socket"), "\(socket.standardError)")
    }

    @Test(arguments: [
        (#"{"version":2}"#, 200, "version 2"), ("hello", 200, "another program"),
        (#"{"error":{"code":"accessTokenRequired","message":"m","hint":"h"}}"#, 401, "LIFETIME_TRACER_TOKEN"),
    ]) func exitStatusIsTwoForAnUnexpectedResponse(_ body: String, _ status: Int, _ part: String) async throws {
        let server = HTTPServer(configuration: ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))) { _ in
            HTTPResponse(status: status, body: .bytes(Array(body.utf8)))
        }
        try server.start()
        defer { server.stop() }
        let check = try ProgramRun(["check", try #require(server.address?.url), "--wait", "60"])
        #expect(try await check.exitStatus() == 2)
        #expect(check.standardError.contains(part), "\(check.standardError)")
    }

    @Test func accessTokenFromTheEnvironmentIsSent() async throws {
        let server = TracerServer(address: ":0", registry: LifetimeRegistry(), accessToken: "a-secret-of-20-bytes")
        try server.start()
        defer { server.stop() }
        let url = try #require(server.url)
        let check = try ProgramRun(["check", url], environment: ["LIFETIME_TRACER_TOKEN": "a-secret-of-20-bytes"])
        #expect(try await check.exitStatus() == 0)
        let refused = try ProgramRun(["check", url], environment: ["LIFETIME_TRACER_TOKEN": "wrong"])
        #expect(try await refused.exitStatus() == 2)
    }

    @Test(arguments: ["check", "top"]) func accessTokenIsReadFromAFile(_ command: String) async throws {
        let server = TracerServer(address: ":0", registry: LifetimeRegistry(), accessToken: "a-secret-of-20-bytes")
        try server.start()
        defer { server.stop() }
        let url = try #require(server.url)
        let file = FileManager.default.temporaryDirectory.appending(path: "lt-token-\(UUID().uuidString)")
        try Data("a-secret-of-20-bytes\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)

        let variable = ["LIFETIME_TRACER_TOKEN_FILE": file.path]
        let named = try ProgramRun([command, url], environment: variable)
        #expect(try await named.exitStatus() == 0)
        #expect(named.standardError.isEmpty, "\(named.standardError)")
        let option = try ProgramRun(
            [command, url, "--token-file", file.path], environment: ["LIFETIME_TRACER_TOKEN": "not-this-one-please"])
        #expect(try await option.exitStatus() == 0)

        let both = try ProgramRun(
            [command, url], environment: variable.merging(["LIFETIME_TRACER_TOKEN": "a-secret-of-20-bytes"]) { $1 })
        #expect(try await both.exitStatus() == 2)
        #expect(both.standardError.contains("both LIFETIME_TRACER_TOKEN and LIFETIME_TRACER_TOKEN_FILE"))
        let missing = try ProgramRun([command, url, "--token-file", file.path + "-missing"])
        #expect(try await missing.exitStatus() == 2)
        #expect(missing.standardError.contains("-missing\" cannot be opened: No such file or directory (errno 2)"))
        #expect(!(both.standardError + missing.standardError).contains("a-secret"))
    }

    /// Waits on a Unix socket that does not exist yet.
    @Test func checkWaitsForAServerToStart() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let address = "unix:" + folder.appending(path: "late.sock").path
        let check = try ProgramRun(["check", address, "--wait", "25"])
        let demo = try ProgramRun(["demo", "--listen", address])
        #expect(try await check.exitStatus() == 0)
        #expect(check.standardOutput.contains("within: 0 overdue, at most 0"))
        demo.send(SIGTERM)
        #expect(try await demo.exitStatus() == 0)
    }
}
