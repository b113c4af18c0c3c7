import LifetimeTracer
import Testing

@testable import tracer_server

/// The output and the exit code of `leaks` for given responses, without a server.
@Suite struct LeaksCommandTests {
    private static let cell = #"""
        {"kind":"cycle","known":null,"text":"Cell (×12) holds itself\n  Cell.parent\n  ↳ Row.\u001b[2J ⟲\n"}
        """#
    private static let page = #"""
        {"kind":"cycle","known":{"reason":"old design"},"text":"Page holds itself\n  Known leak: old design\n"}
        """#
    private static let seen = #"""
        {"kind":"cycle","known":{"reason":"later"},"text":"Seen holds itself\n"}
        """#
    private static let stray = #"{"kind":"overRetained","known":null,"text":"Stray has 1 strong reference\n"}"#

    private static func leaks(
        _ leaks: [String], cycles: Int, known: Int, leftOut: Int = 0, leftOutCycles: Int? = 0, notCompared: Int = 0,
        tasks: Int = 0, obstacle: String = "null", total: Int? = nil
    ) -> APIReply {
        let heap = """
            {"id":3,"count":30,"bytes":1000,"leftOut":null,"cost":{"pauseMilliseconds":0.8,"totalMilliseconds":41.7}}
            """
        return ScriptedReplies.reply(
            """
            {"heap":\(heap),"cycles":\(cycles),"knownCycles":\(known),"leftOut":\(leftOut),
             \(leftOutCycles.map { "\"leftOutCycles\":\($0)," } ?? "")
             "notCompared":\(notCompared),"stuckTasks":\(tasks),
             "obstacle":\(obstacle),"total":\(total ?? leaks.count),"next":null,
             "leaks":[\(leaks.joined(separator: ","))]}
            """)
    }

    private static let job = ScriptedReplies.reply(#"{"job":{"id":3,"progress":null}}"#, status: 202)
    private static let capture = ScriptedReplies.reply(
        """
        {"heap":{"id":3,"count":30,"bytes":1000,"leftOut":null,"cost":{"pauseMilliseconds":0.8,"totalMilliseconds":1}},
         "total":0,"next":null,"types":[]}
        """)

    private static func run(
        _ last: APIReply, _ words: [String] = []
    ) async throws -> (rows: [String], code: ExitCode, requests: [String]) {
        let script = ScriptedReplies([job, capture, last])
        let all = ["http://127.0.0.1:1/"] + words
        guard case .run(let arguments) = try LeaksCommand.syntax.parse(all) else {
            throw NotInTime(description: "help")
        }
        var options = try LeaksOptions(arguments)
        options.timeout.clock = SteppingClock()
        let answer = try await LeaksCommand.answer(options, script) { _ in }
        let rows = answer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (rows, answer.code, script.requests)
    }

    @Test func tasksThatNothingCanResumeAreMentioned() async throws {
        let one = try await Self.run(Self.leaks([], cycles: 0, known: 0, tasks: 1))
        let many = try await Self.run(Self.leaks([Self.cell], cycles: 12, known: 0, tasks: 1_200))
        #expect(one.code == .success)
        #expect(
            one.rows.suffix(3) == [
                "no leaks", "", "Nothing can resume 1 Task. `tracer-server tasks` lists it first.",
            ])
        #expect(many.rows.last == "Nothing can resume 1,200 Tasks. `tracer-server tasks` lists them first.")
    }

    @Test func leaksThatAreNotKnownAreAFailure() async throws {
        let answer = try await Self.run(
            Self.leaks([Self.cell, Self.page, Self.seen, Self.stray], cycles: 14, known: 2))
        #expect(answer.code == .failure)
        #expect(answer.rows[0].hasSuffix("capture 3, 1,000 bytes in 30 blocks; paused 0.8 ms, took 42 ms"))
        #expect(
            answer.rows.dropFirst() == [
                "14 leaks, 2 of them known", "", "Cell (×12) holds itself", "  Cell.parent", "  ↳ Row.\u{FFFD}[2J ⟲",
                "",
                "Page holds itself", "  Known leak: old design", "", "Seen holds itself", "  Known leak: later", "",
                "May be leaked, or in use out of sight of the search:", "", "Stray has 1 strong reference",
            ])
        #expect(
            answer.requests == [
                "GET api/v1/summary", "POST api/v1/heaps", "GET api/v1/heaps/3?limit=1",
                "GET api/v1/heaps/3/leaks?limit=30",
            ])
    }

    @Test func knownAndUncertainLeaksAreASuccess() async throws {
        let known = try await Self.run(Self.leaks([Self.page], cycles: 1, known: 1))
        #expect(known.code == .success && known.rows[1] == "1 leak, 1 of them known")
        let uncertain = try await Self.run(Self.leaks([Self.stray], cycles: 0, known: 0))
        #expect(uncertain.code == .success && uncertain.rows[1] == "no leaks")
    }

    @Test func obstacleIsAnUnknownResult() async throws {
        let answer = try await Self.run(Self.leaks([], cycles: 0, known: 0, obstacle: #""the memory limit.""#))
        #expect(answer.code == .unknown)
        #expect(answer.rows[1] == "Leaks were not searched for: the memory limit.")
    }

    @Test func certainLeaksThatAreLeftOutAreAFailure() async throws {
        let answer = try await Self.run(
            Self.leaks([Self.page], cycles: 1, known: 1, leftOut: 1_505, leftOutCycles: 1_500, total: 3))
        #expect(answer.code == .failure)
        #expect(
            answer.rows[1]
                == "1 leak, 1 of them known; 1,500 more are left out; 5 that may be in use are left out, because there "
                + "are too many different ones")
        #expect(answer.rows.last == "and 2 more entries")
    }

    @Test func uncertainLeaksThatAreLeftOutAreASuccess() async throws {
        let answer = try await Self.run(Self.leaks([Self.page, Self.stray], cycles: 1, known: 1, leftOut: 88))
        #expect(answer.code == .success)
        #expect(
            answer.rows[1]
                == "1 leak, 1 of them known; 88 that may be in use are left out, because there are too many different "
                + "ones")
    }

    @Test func leaksThatAnOlderServerLeavesOutAreAFailure() async throws {
        let answer = try await Self.run(Self.leaks([], cycles: 0, known: 0, leftOut: 7, leftOutCycles: nil))
        #expect(answer.code == .failure)
        #expect(answer.rows[1] == "no leaks; 7 more are left out, because there are too many different ones")
    }

    @Test func objectsThatAreNotComparedMakeTheResultUnknown() async throws {
        let answer = try await Self.run(Self.leaks([Self.stray], cycles: 0, known: 0, notCompared: 9))
        #expect(answer.code == .unknown)
        #expect(answer.rows[1] == "no leaks; 9 objects are left out, because there are too many")
        let leaking = try await Self.run(Self.leaks([Self.cell], cycles: 12, known: 0, notCompared: 9))
        #expect(leaking.code == .failure)
    }

    @Test func jsonIsPrintedUnchanged() async throws {
        let leaks = Self.leaks([Self.cell], cycles: 12, known: 0)
        let answer = try await Self.run(leaks, ["--json"])
        #expect(answer.rows.joined(separator: "\n") == String(decoding: leaks.body, as: UTF8.self).printableJSON)
        #expect(answer.code == .failure && answer.requests.last == "GET api/v1/heaps/3/leaks?limit=500")
    }

    @Test(arguments: ["--count=0", "--count=501", "--timeout=x", "--since=1"])
    func wrongOptionIsAUsageError(word: String) async throws {
        await #expect(throws: UsageError.self) { try await Self.run(Self.capture, [word]) }
    }
}
