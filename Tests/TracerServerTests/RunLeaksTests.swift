import Foundation
import LifetimeTracer
import RetainPaths
import Testing

@testable import tracer_server

/// The real `run` with a search for leaks at the exit of a program that does not link the library.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled("captures are not available") { await RetainPaths.availability() == .available })
struct RunLeaksTests {
    /// A file that is removed with this object.
    private final class TemporaryFile {
        let path = FileManager.default.temporaryDirectory.appending(path: "lifetime-tracer-\(UUID().uuidString)").path

        init(_ text: String? = nil) throws {
            if let text { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        func report() throws -> Report {
            try JSONDecoder().decode(Report.self, from: try Data(contentsOf: URL(filePath: path)))
        }
    }

    /// The part of a report that the tests read.
    private struct Report: Decodable {
        struct Search: Decodable {
            struct Leak: Decodable {
                let kind: String
                let count: Int
                let signature: String
                let fingerprint: String
                let ofProgram: Bool
            }

            let unknown: Int
            let leftOut: Int
            let leaks: [Leak]
        }

        let version: Int
        let verdict: String
        let reason: String?
        let exitStatus: Int32?
        let signal: Int32?
        let search: Search?
    }

    private static let noSearch = "LifetimeTracer: leaks not searched for at exit: "

    private func run(_ options: [String], _ words: [String]) throws -> ProgramRun {
        try ProgramRun(["run", "--listen", "0"] + options + ["--", Builds.plainProgram.path] + words)
    }

    @Test func leaksFailTheRunAndAreReported() async throws {
        let file = try TemporaryFile()
        let run = try run(["--fail-on-leaks", "--report", file.path], ["leak", "0"])
        #expect(try await run.exitStatus() == 3, "\(run.standardError)")
        #expect(run.standardOutput == "the last words\n")
        let text = run.standardError
        let headline = "\nLifetimeTracer: Leaked by the program: 3 cycles of PlainScreen; 6 objects.\n"
        #expect(text.contains(headline), "\(text)")
        #expect(text.contains("Expected: the program leaves no objects that only hold each other.\n"), "\(text)")
        #expect(text.contains("  PlainScreen.model"), "\(text)")
        let report = try file.report()
        #expect(report.version == 1 && report.verdict == "leaks" && report.reason == nil)
        #expect(report.exitStatus == 0 && report.signal == nil)
        let leak = try #require(report.search?.leaks.first)
        #expect(report.search?.unknown == 3 && leak.kind == "cycle" && leak.count == 3 && leak.ofProgram)
        #expect(text.contains("Fingerprint: \(leak.fingerprint)"))
    }

    @Test func programWithoutLeaksPassesSilently() async throws {
        let file = try TemporaryFile()
        let run = try run(["--fail-on-leaks", "--report", file.path], ["exit", "0"])
        #expect(try await run.exitStatus() == 0)
        #expect(run.standardError.split(separator: "\n").allSatisfy { $0.contains(" http://") }, "\(run.standardError)")
        let report = try file.report()
        #expect(report.verdict == "clean" && report.search?.unknown == 0)
    }

    /// The program over-retains objects of 400 classes, of which at most 256 are listed.
    @Test func leftOutLeaksThatMayBeInUseDoNotCount() async throws {
        let file = try TemporaryFile()
        let run = try run(["--fail-on-leaks", "--report", file.path], ["over-retain"])
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        let report = try file.report()
        let search = try #require(report.search)
        #expect(report.verdict == "clean" && search.unknown == 0 && search.leftOut > 100)
        #expect(search.leaks.count > 200 && search.leaks.allSatisfy { $0.kind == "overRetained" })
    }

    @Test func cyclesThatMayBeInUseAreNamedButDoNotCount() async throws {
        let run = try run(["--fail-on-leaks"], ["hide-cycle"])
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        let line =
            "\nLifetimeTracer: Not counted, because they may be in use out of sight of the search: "
            + "2 cycles of HiddenCycle. The option --report lists them.\n"
        #expect(run.standardError.contains(line), "\(run.standardError)")
    }

    @Test func failedProgramKeepsItsStatus() async throws {
        let run = try run(["--fail-on-leaks"], ["leak", "7"])
        #expect(try await run.exitStatus() == 7)
        #expect(run.standardError.contains(": 3 cycles of PlainScreen; 6 objects.\n"), "\(run.standardError)")
    }

    @Test func reportAloneDoesNotFailTheRun() async throws {
        let file = try TemporaryFile()
        let run = try run(["--report", file.path], ["leak", "0"])
        #expect(try await run.exitStatus() == 0)
        #expect(run.standardError.contains(": 3 cycles of PlainScreen; 6 objects.\n"), "\(run.standardError)")
        #expect(try file.report().verdict == "leaks")
    }

    @Test func knownLeaksPass() async throws {
        let pattern = "PlainScreen.model → PlainModel.screen → PlainScreen"
        let leaks = try TemporaryFile(#"[{"pattern": "\#(pattern)", "reason": "small"}]"#)
        let file = try TemporaryFile()
        let run = try run(["--fail-on-leaks", "--known-leaks", leaks.path, "--report", file.path], ["leak", "0"])
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        #expect(run.standardError.contains("LifetimeTracer: Known leak, 3 leaks: "), "\(run.standardError)")
        let report = try file.report()
        #expect(report.verdict == "clean" && report.search?.leaks.first?.count == 3)
    }

    /// Also if a file of known leaks is given, and if the environment names the rules.
    @Test(arguments: [true, false]) func knownLeaksOfTheRulesPass(isOption: Bool) async throws {
        let pattern = "PlainScreen.model → PlainModel.screen → PlainScreen"
        let rules = try TemporaryFile(#"{"knownLeaks": [{"pattern": "\#(pattern)", "reason": "small"}]}"#)
        let leaks = try TemporaryFile("[]")
        let options = isOption ? ["--rules", rules.path, "--known-leaks", leaks.path] : []
        let run = try ProgramRun(
            ["run", "--listen", "0", "--fail-on-leaks"] + options + ["--", Builds.plainProgram.path, "leak", "0"],
            environment: isOption ? [:] : ["LIFETIME_TRACER_RULES": rules.path])
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        #expect(run.standardError.contains("LifetimeTracer: Known leak, 3 leaks: "), "\(run.standardError)")
    }

    @Test(arguments: [["--fail-on-leaks"], []])
    func damagedFileOfKnownLeaksStartsNothing(_ options: [String]) async throws {
        let leaks = try TemporaryFile(#"[{"pattern": "PlainScreen"}]"#)
        let run = try run(options + ["--known-leaks", leaks.path], ["leak", "0"])
        #expect(try await run.exitStatus() == 64)
        #expect(run.standardOutput == "")
        #expect(run.standardError.contains("tracer-server run: known leaks file, \(leaks.path), line 1: "))
    }

    /// The first process of a daemon ends with `_exit`.
    @Test func missingSearchNamesTheRemedyForDaemons() async throws {
        let run = try run(["--fail-on-leaks"], ["_exit", "0"])
        #expect(try await run.exitStatus() == 2)
        let remedy =
            "A program that puts itself into the background (a daemon) ends like that, too; start it in the foreground"
        #expect(run.standardError.contains(remedy), "\(run.standardError)")
    }

    @Test(arguments: [
        (["_exit", "0"], 2, "the program ended with status 0 without a call of exit"),
        (["_exit", "4"], 4, "the program ended with status 4 without a call of exit"),
        (
            ["exec", "true"], 2,
            "the program ended with status 0 without a call of exit: it called _exit or quick_exit, or exec started "
                + "another program. swift test does the latter; run the tests' own program instead"
        ),
        (["signal", "9"], -9, "the program was ended by signal 9 (Killed)"),
        (["signal", "15"], -15, "the program was ended by signal 15 (Terminated)"),
    ]) func missingSearchNeverPasses(_ words: [String], _ status: Int32, _ reason: String) async throws {
        let file = try TemporaryFile()
        let run = try run(["--fail-on-leaks", "--report", file.path], words)
        #expect(try await run.exitStatus() == status)
        #expect(run.standardError.contains(Self.noSearch + reason), "\(run.standardError)")
        let report = try file.report()
        #expect(report.verdict == "unknown" && report.reason?.hasPrefix(reason) == true && report.search == nil)
        #expect(report.signal == (status < 0 ? -status : nil))
    }

    /// The cycle consists of the closure and of a variable, of which no class is one of the program's.
    @Test func leakOfAClosureAloneFailsTheRun() async throws {
        let run = try run(["--fail-on-leaks"], ["leak-closure"])
        #expect(try await run.exitStatus() == 3, "\(run.standardError)")
        #expect(run.standardOutput == "sum 6\n")
        #expect(run.standardError.contains("in static PlainProgram.leakClosure()"), "\(run.standardError)")
    }

    @Test func searchHasALimit() async throws {
        let run = try run(["--fail-on-leaks", "--search-limit", "0.001"], ["leak", "0"])
        #expect(try await run.exitStatus() == 2)
        #expect(run.standardOutput == "the last words\n")
        #expect(
            run.standardError.contains(Self.noSearch + "the search did not end within 0.001 seconds"),
            "\(run.standardError)")
    }

    @Test(arguments: [("/no/such/folder/report", "No such file"), ("/proc", "Is a directory")])
    func runWhoseReportCannotBeWrittenIsRefused(path: String, reason: String) async throws {
        let run = try run(["--fail-on-leaks", "--report", path], ["exit", "0"])
        #expect(try await run.exitStatus() == 64)
        #expect(run.standardError.contains("the report cannot be written to \"\(path)\": \(reason)"))
    }

    @Test func reportThatCannotBeWrittenAfterAllFailsTheRun() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let path = folder.appending(path: "report").path
        let run = try run(["--fail-on-leaks", "--report", path], ["wait", String(SIGUSR1)])
        let waiting = try await eventually("the program waits") {
            run.standardOutput.split(separator: "\n").first { $0.hasPrefix("waiting ") }
        }
        try FileManager.default.removeItem(at: folder)
        kill(try #require(waiting.split(separator: " ").last.flatMap { Int32($0) }), SIGUSR1)
        #expect(try await run.exitStatus() == 2)
        #expect(run.standardError.contains("cannot write the report to \"\(path)\": No such file"))
    }
}
