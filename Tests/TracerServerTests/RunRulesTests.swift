import Foundation
import Testing

@testable import tracer_server

/// Rules without code: of `tracer-server run --rules`, and of the variable in a program that links the server.
@Suite(.timeLimit(.minutes(20))) struct RunRulesTests {
    /// A file that is removed with this object.
    private final class RulesFile {
        let path = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString).json").path

        init(_ text: String) throws {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    @Test(arguments: [["--fail-on-leaks"], []])
    func invalidRulesStartNothing(_ options: [String]) async throws {
        let rules = try RulesFile("{\n\"budgets\": []}")
        let run = try ProgramRun(
            ["run", "--listen", "0"] + options + ["--rules", rules.path, "--", Builds.plainProgram.path, "exit", "3"])
        #expect(try await run.exitStatus() == 64)
        #expect(run.standardOutput == "")
        #expect(
            run.standardError
                == "tracer-server run: rules file, \(rules.path), line 2: The unknown name \"budgets\" stands in the "
                + "rules. Use $schema, types, groups, knownLeaks.\n")
    }

    @Test func missingRulesStartNothing() async throws {
        let run = try ProgramRun(["run", "--rules", "/nonexistent/rules.json", Builds.plainProgram.path, "exit", "3"])
        #expect(try await run.exitStatus() == 64)
        #expect(run.standardError.contains("rules file, /nonexistent/rules.json: The file cannot be opened: No such"))
    }

    /// The program does not notice the rules, and starts children without them.
    @Test func theProgramDoesNotNoticeTheRules() async throws {
        let rules = try RulesFile(#"{"types": [{"pattern": "*", "leaveOut": true}]}"#)
        let alone = try await PlainRun(["surroundings"], .alone)
        let ruled = try await PlainRun.announced(
            ["surroundings"], .underRun(["--listen", "0", "--rules", rules.path]))
        #expect(ruled.isServed, "\(ruled.announcements)")
        #expect(ruled.status == alone.status && ruled.standardOutput == alone.standardOutput)
    }

    /// The agent starts with the variable alone, and a bad file does not stop the program.
    @Test func invalidRulesOfTheEnvironmentAreReportedByTheProgram() async throws {
        let rules = try RulesFile("[]")
        let (run, status) = try await ProgramRun.finished(
            ["run", "--listen", "0", Builds.plainProgram.path, "exit", "3"],
            environment: ["LIFETIME_TRACER_RULES": rules.path], saying: "http://")
        #expect(status == 3)
        let lines = run.standardError.split(separator: "\n")
        #expect(lines.count == 2, "\(lines)")
        #expect(
            lines.first?.hasPrefix(
                "LifetimeTracer: rules not in force, because LIFETIME_TRACER_RULES is \"\(rules.path)\": ") == true)
    }

    private struct Kinds: Decodable {
        struct Kind: Decodable {
            let name: String
            let budget: Int?
            let group: String?
        }
        let types: [Kind]
    }

    @Test func theDemoHasTheRulesOfItsEnvironment() async throws {
        let rules = try RulesFile(
            """
            {"types": [{"pattern": "NoteScreen", "budget": 7}],
             "groups": [{"name": "everything", "patterns": ["tracer_server.*"]}]}
            """)
        let demo = try await DemoRun(environment: ["LIFETIME_TRACER_RULES": rules.path])
        _ = try await demo.play("dismissed-screen", .leaking)
        let kinds = try await demo.get("api/v1/types?limit=500", as: Kinds.self).types
        let screen = try #require(kinds.first { $0.name == "NoteScreen" })
        #expect(screen.budget == 7 && screen.group == "everything")
    }

    @Test func theDemoRunsWithoutInvalidRules() async throws {
        let demo = try ProgramRun(
            ["demo", "--listen", "127.0.0.1:0"], environment: ["LIFETIME_TRACER_RULES": "/nonexistent/rules.json"])
        _ = try await eventually("the demo says where it listens") { demo.lines.first }
        let start = "LifetimeTracer: rules not in force, because LIFETIME_TRACER_RULES is \"/nonexistent/rules.json\": "
        #expect(demo.standardError.hasPrefix(start), "\(demo.standardError)")
        #expect(demo.standardError.split(separator: "\n").count == 1)
    }
}
