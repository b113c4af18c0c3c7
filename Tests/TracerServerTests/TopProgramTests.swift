import Foundation
import LifetimeTracer
import LifetimeTracerServer
import Testing

@testable import tracer_server

/// The real `top` against real servers, on real terminals and into files.
@Suite(.timeLimit(.minutes(20))) struct TopProgramTests {
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    private final class Leaf: TracedObject {}

    /// A server with a type whose instances the test creates.
    private final class Traced {
        let registry = LifetimeRegistry()
        let server: TracerServer
        private(set) var objects: [TracedObject] = []

        init(address: String = ":0") throws {
            server = TracerServer(address: address, registry: registry)
            try server.start()
        }

        deinit {
            server.stop()
        }

        var address: String { server.url ?? "" }

        func make(_ count: Int) {
            objects += registry.withCurrent { (0..<count).map { _ in Leaf() } }
        }
    }

    private static func run(
        _ words: [String], in terminal: Terminal, environment: [String: String] = [:]
    ) throws -> ProgramRun {
        try ProgramRun(
            ["top"] + words, environment: ["TERM": "xterm"].merging(environment) { $1 },
            standardOutput: .terminal(terminal.path))
    }

    @Test func tableIsPrintedOnceIntoAFile() async throws {
        let traced = try Traced()
        defer { withExtendedLifetime(traced) {} }
        traced.make(3)
        let top = try ProgramRun(["top", traced.address], environment: ["TERM": "xterm"])
        #expect(try await top.exitStatus() == 0)
        try #require(top.lines.count == 4, "\(top.standardOutput)")
        #expect(!top.standardOutput.contains("\u{1B}"))
        #expect(top.lines[0].contains(": 3 live of 1 type, 0 overdue"))
        #expect(top.lines[2].hasPrefix("LIVE  +/MIN  BORN  DIED  PEAK  OVERDUE  BYTES  TYPE"))
        #expect(top.lines[3].hasSuffix("TopProgramTests.Leaf") && top.lines[3].hasPrefix("   3 "))
    }

    @Test func terminalTableUpdatesUntilControlC() async throws {
        let traced = try Traced()
        defer { withExtendedLifetime(traced) {} }
        traced.make(3)
        let terminal = try Terminal()
        let top = try Self.run([traced.address, "--interval", "0.1"], in: terminal)
        _ = try await eventually("the table is drawn") { terminal.screen.first { $0.contains("3 live of 1 type") } }
        #expect(terminal.text.hasPrefix(Self.enter))
        traced.make(4)
        _ = try await eventually("the table follows") { terminal.screen.first { $0.contains("7 live of 1 type") } }
        #expect(!terminal.text.contains(Self.leave))
        terminal.type("\u{3}")
        #expect(try await top.exitStatus() == 0)
        let text = try await eventually("the first screen is back") { terminal.text.hasSuffix(Self.leave) ? true : nil }
        #expect(text)
    }

    @Test func linesFitTheTerminalAndResizingRedrawsTheTable() async throws {
        let traced = try Traced()
        defer { withExtendedLifetime(traced) {} }
        traced.make(3)
        let terminal = try Terminal(rows: 5, columns: 30)
        // The next poll is an hour away, so only the new size can redraw the table.
        let top = try Self.run([traced.address, "--interval", "3600"], in: terminal)
        let narrow = try await eventually("the table is drawn") { terminal.screen.count >= 4 ? terminal.screen : nil }
        #expect(narrow.allSatisfy { $0.count <= 30 }, "\(narrow)")
        #expect(narrow.dropFirst(2).first == "LIVE  +/MIN  BORN  DIED  PEAK ")
        terminal.resize(rows: 10, columns: 200)
        _ = try await eventually("the table is drawn anew") {
            terminal.screen.first { $0.hasSuffix("TopProgramTests.Leaf") }
        }
        top.send(SIGTERM)
        #expect(try await top.exitStatus() == 0)
    }

    @Test func aSmallTerminalShowsTheFirstTypes() async throws {
        let demo = try await DemoRun(["--play", "coordinators:leaking"])
        _ = try await demo.run(1, of: "coordinators")
        let terminal = try Terminal(rows: 7, columns: 200)
        let top = try Self.run([demo.base, "--interval", "0.1", "--sort", "overdue"], in: terminal)
        let screen = try await eventually("the table is drawn") {
            terminal.screen.last?.hasSuffix("more types") == true ? terminal.screen : nil
        }
        #expect(screen.count == 7, "\(screen)")
        #expect(terminal.text.contains("\u{1B}[31m"), "overdue types are red")
        top.send(SIGTERM)
        #expect(try await top.exitStatus() == 0)
    }

    @Test func noColorVariableDisablesColours() async throws {
        let traced = try Traced()
        defer { withExtendedLifetime(traced) {} }
        let terminal = try Terminal()
        let top = try Self.run([traced.address], in: terminal, environment: ["NO_COLOR": "1"])
        _ = try await eventually("the table is drawn") { terminal.screen.first { $0.contains("LIVE") } }
        #expect(terminal.text.firstMatch(of: /\u{1B}\[[0-9;]*m/) == nil)
        top.send(SIGTERM)
        #expect(try await top.exitStatus() == 0)
    }

    @Test(arguments: [(["--once"], "xterm"), ([], "dumb"), ([], "")])
    func onceOptionOrDumbTerminalPrintsOneTable(_ words: [String], _ term: String) async throws {
        let traced = try Traced()
        defer { withExtendedLifetime(traced) {} }
        traced.make(1)
        let terminal = try Terminal()
        let top = try Self.run([traced.address] + words, in: terminal, environment: ["TERM": term])
        #expect(try await top.exitStatus() == 0)
        _ = try await eventually("the table is printed") { terminal.text.contains("TopProgramTests.Leaf") ? true : nil }
        #expect(!terminal.text.contains("\u{1B}"))
    }

    @Test func lostServerIsReportedAndItsReturnUpdatesTheTable() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let address = "unix:" + folder.appending(path: "x.sock").path
        let terminal = try Terminal(columns: 300)
        let top: ProgramRun
        do {
            let traced = try Traced(address: address)
            defer { withExtendedLifetime(traced) {} }
            traced.make(3)
            top = try Self.run([address, "--interval", "0.1"], in: terminal)
            _ = try await eventually("the table is drawn") { terminal.screen.first { $0.contains("3 live") } }
        }
        let screen = try await eventually("it says so") {
            terminal.screen.contains { $0.contains("cannot reach \(address)") } ? terminal.screen : nil
        }
        #expect(
            screen.dropFirst().first?.hasSuffix("retrying; the counts are from the last response") == true,
            "\(screen)")
        #expect(screen.first?.contains("3 live") == true)
        let back = try Traced(address: address)
        defer { withExtendedLifetime(back) {} }
        back.make(5)
        _ = try await eventually("the table is back") { terminal.screen.first { $0.contains("5 live") } }
        #expect(terminal.screen.dropFirst().first?.isEmpty == true)
        top.send(SIGTERM)
        #expect(try await top.exitStatus() == 0)
    }

    @Test func exitStatusIsTwoForAnUnreachableServer() async throws {
        let terminal = try Terminal()
        let top = try Self.run(["unix:/nonexistent/socket"], in: terminal)
        #expect(try await top.exitStatus() == 2)
        _ = try await eventually("it says why") {
            terminal.text.contains("tracer-server top: cannot reach unix:/nonexistent/socket") ? true : nil
        }
        #expect(!terminal.text.contains("\u{1B}"))
        let piped = try ProgramRun(["top", "unix:/nonexistent/socket"])
        #expect(try await piped.exitStatus() == 2)
        #expect(
            piped.standardError.contains(
                "cannot reach unix:/nonexistent/socket: No such file or directory (errno 2)"))
    }

    @Test func suspendRestoresTheScreenAndContinueRedrawsTheTable() async throws {
        let traced = try Traced()
        defer { withExtendedLifetime(traced) {} }
        traced.make(2)
        let terminal = try Terminal()
        let top = try Self.run([traced.address, "--interval", "0.1"], in: terminal)
        _ = try await eventually("the table is drawn") { terminal.screen.first { $0.contains("2 live") } }
        // In a session without a shell, nothing continues a program that Control-Z stops, so the key has no effect.
        top.send(SIGTSTP)
        _ = try await eventually("the first screen is back") { terminal.text.hasSuffix(Self.leave) ? true : nil }
        // The program restores the screen and then stops. If SIGCONT arrived in between, it would have no effect.
        _ = try await eventually("the program is stopped") { top.isStopped ? true : nil }
        top.send(SIGCONT)
        traced.make(1)
        _ = try await eventually("the table is drawn again") {
            terminal.text.components(separatedBy: Self.enter).count == 3
                ? terminal.screen.first { $0.contains("3 live") } : nil
        }
        terminal.type("\u{3}")
        #expect(try await top.exitStatus() == 0)
    }
}
