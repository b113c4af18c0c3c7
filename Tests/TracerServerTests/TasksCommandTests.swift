import LifetimeTracer
import RetainPaths
import Testing

@testable import tracer_server

/// The output and the exit code of `tasks` for given responses, without a server.
@Suite struct TasksCommandTests {
    private static let download = #"""
        {"id":18,"state":"continuation","awaits":null,"cancelled":true,"parent":17,"children":[],"name":"closure #1",
         "label":"image \u001b3","functions":["Download.bytes()","Gallery.\u001b[2J"],"ofProgram":true,
         "holds":["Download","Gallery"]}
        """#
    private static let parent = #"""
        {"id":17,"state":"child","awaits":"Task 18","cancelled":false,"parent":null,"children":[18,19],
         "name":"closure #1 in Gallery.load()","functions":[],"ofProgram":true,"holds":[]}
        """#
    private static let visitor = #"""
        {"id":21,"state":"actor","awaits":"Database","cancelled":false,"parent":null,"children":[],"name":null,
         "functions":["Notes.save()"],"ofProgram":true,"holds":[]}
        """#

    private static func tasks(
        _ tasks: [String], states: String = "[]", leftOut: Int = 0, obstacle: String = "null", total: Int? = nil
    ) -> APIReply {
        let heap = """
            {"id":3,"count":30,"bytes":1000,"leftOut":null,"cost":{"pauseMilliseconds":0.8,"totalMilliseconds":41.7}}
            """
        return ScriptedReplies.reply(
            """
            {"heap":\(heap),"states":\(states),"leftOut":\(leftOut),"obstacle":\(obstacle),
             "total":\(total ?? tasks.count),"next":null,"tasks":[\(tasks.joined(separator: ","))]}
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
        guard case .run(let arguments) = try TasksCommand.syntax.parse(all) else {
            throw NotInTime(description: "help")
        }
        var options = try TasksOptions(arguments)
        options.timeout.clock = SteppingClock()
        let answer = try await TasksCommand.answer(options, script) { _ in }
        let rows = answer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (rows, answer.code, script.requests)
    }

    @Test func tasksArePrintedWithWhatTheyAwait() async throws {
        let states = #"[{"state":"continuation","count":1},{"state":"child","count":1},{"state":"sleep","count":1200}]"#
        let answer = try await Self.run(
            Self.tasks([Self.download, Self.parent, Self.visitor], states: states, leftOut: 1_500, total: 4))
        #expect(answer.code == .success)
        #expect(answer.rows[0].hasSuffix("capture 3, 1,000 bytes in 30 blocks; paused 0.8 ms, took 42 ms"))
        #expect(
            answer.rows.dropFirst() == [
                "2,702 Tasks: 1 awaits a continuation, 1 awaits its children, 1,200 sleep, "
                    + "1,500 left out, because there are too many",
                "", "Task 18 \"image \u{FFFD}3\" awaits a continuation (child of Task 17; cancelled)",
                "  Download.bytes()",
                "  ↳ Gallery.\u{FFFD}[2J", "  holds Download, Gallery", "",
                "Task 17 awaits Task 18 (children: Task 18, Task 19)", "  closure #1 in Gallery.load()", "",
                "Task 21 waits for its turn on the actor Database", "  Notes.save()", "", "and 1 more entry",
            ])
        #expect(
            answer.requests == [
                "GET api/v1/summary", "POST api/v1/heaps", "GET api/v1/heaps/3?limit=1",
                "GET api/v1/heaps/3/tasks?limit=30&fold=1",
            ])
    }

    @Test func tasksThatNothingCanResumeAreNamed() async throws {
        let lost = Self.visitor.replacing(
            #""state":"actor","awaits":"Database""#, with: #""state":"continuation","awaits":null,"stuck":true"#)
        for (count, sum) in [
            (1, "1 awaits a continuation (nothing can resume it)"),
            (2, "2 await a continuation (nothing can resume 1 of them)"),
        ] {
            let states = #"[{"state":"continuation","count":\#(count),"stuck":1}]"#
            let answer = try await Self.run(Self.tasks([lost], states: states))
            #expect(answer.rows[1] == "\(count) Task\(count == 1 ? "" : "s"): \(sum)")
            #expect(
                answer.rows[3]
                    == "Task 21 awaits a continuation that nothing in use refers to, so that nothing can resume the "
                    + "Task")
        }
    }

    @Test(arguments: [
        (#""state":"task","awaits":"Task 17""#, "awaits Task 17, which nothing can resume"),
        (#""state":"child","awaits":"Task 22""#, "awaits Task 22, which nothing can resume"),
        (#""state":"child","awaits":null"#, "awaits its children, which nothing can resume"),
    ])
    func taskThatAwaitsSuchATaskSaysSo(state: String, text: String) async throws {
        let stuck = Self.visitor.replacing(#""state":"actor","awaits":"Database""#, with: state + #","stuck":true"#)
        let answer = try await Self.run(Self.tasks([stuck]))
        #expect(answer.rows[3] == "Task 21 \(text)")
    }

    @Test(arguments: [
        (#""awaits":null"#, "waits for a thread"), (#""awaits":"Disk""#, "waits for a thread of the executor Disk"),
    ])
    func taskThatCanRunNamesItsExecutor(awaits: String, text: String) async throws {
        let ready = Self.visitor.replacing(#""state":"actor","awaits":"Database""#, with: #""state":"ready","# + awaits)
        let answer = try await Self.run(Self.tasks([ready]))
        #expect(answer.rows[3] == "Task 21 \(text)")
    }

    @Test func entryForTasksThatAreAlikeStatesTheirNumber() async throws {
        let children = Self.download.replacing(#""ofProgram":true"#, with: #""ofProgram":true,"alike":2999"#)
        let visitors = Self.visitor.replacing(#""ofProgram":true"#, with: #""ofProgram":true,"alike":1"#)
        let alone = Self.visitor.replacing(#""ofProgram":true"#, with: #""ofProgram":true,"alike":0"#)
        let answer = try await Self.run(Self.tasks([children, visitors, alone], total: 5))
        #expect(
            answer.rows.filter { $0.hasPrefix("Task ") || $0.hasPrefix("and ") } == [
                "Task 18 \"image \u{FFFD}3\" awaits a continuation (child of Task 17; cancelled; 2,999 more like it)",
                "Task 21 waits for its turn on the actor Database (1 more like it)",
                "Task 21 waits for its turn on the actor Database", "and 2 more entries",
            ])
    }

    @Test func optionsSelectTasks() async throws {
        let answer = try await Self.run(Self.tasks([]), ["--state=sleep", "--program", "--count=2"])
        #expect(answer.rows.dropFirst() == ["no Tasks"])
        #expect(answer.requests.last == "GET api/v1/heaps/3/tasks?limit=2&state=sleep&ofProgram=1&fold=1")
    }

    @Test func statesAreThoseOfTheServer() {
        #expect(TasksOptions.states == HeapGraph.Task.State.allCases.map(\.rawValue))
    }

    @Test func obstacleIsAnUnknownResult() async throws {
        let answer = try await Self.run(Self.tasks([], obstacle: #""not readable on this runtime.""#))
        #expect(answer.code == .unknown)
        #expect(answer.rows[1] == "Tasks are not listed: not readable on this runtime.")
    }

    @Test func jsonIsPrintedUnchanged() async throws {
        let tasks = Self.tasks([Self.download])
        let answer = try await Self.run(tasks, ["--json"])
        #expect(answer.rows.joined(separator: "\n") == String(decoding: tasks.body, as: UTF8.self).printableJSON)
        #expect(answer.requests.last == "GET api/v1/heaps/3/tasks?limit=500")
    }

    @Test(arguments: ["--count=0", "--count=501", "--timeout=x", "--since=1", "--state=stuck"])
    func wrongOptionIsAUsageError(word: String) async throws {
        await #expect(throws: UsageError.self) { try await Self.run(Self.capture, [word]) }
    }
}
