import LifetimeTracer
import Testing

@testable import tracer_server

/// The output of `heap` for given responses, without a server.
@Suite struct HeapCommandTests {
    private static func job(_ progress: String? = nil) -> APIReply {
        ScriptedReplies.reply(#"{"job":{"id":3,"progress":\#(progress.map { "\"\($0)\"" } ?? "null")}}"#, status: 202)
    }

    private static func heap(_ id: Int, bytes: Int = 1000, leftOut: String = "null") -> String {
        """
        {"id":\(id),"count":30,"bytes":\(bytes),"leftOut":\(leftOut),
         "cost":{"pauseMilliseconds":0.8,"totalMilliseconds":41.7}}
        """
    }

    private static func lines(_ id: Int = 3, leftOut: String = "null") -> APIReply {
        ScriptedReplies.reply(
            """
            {"heap":\(heap(id, leftOut: leftOut)),"total":9,"next":null,"types":[
             {"kind":"class","name":"Screen","type":"Demo.Screen","ofProgram":true,"count":12,"bytes":800,
              "retained":4800},
             {"kind":"unknown","name":"C\\u001b[2J","type":null,"ofProgram":false,"count":7,"bytes":90,
              "retained":null}]}
            """)
    }

    private static func run(
        _ script: ScriptedReplies, _ words: [String] = [], telling tell: (String) -> Void = { _ in }
    ) async throws -> String {
        guard case .run(let arguments) = try HeapCommand.syntax.parse(["http://127.0.0.1:1/"] + words) else {
            throw NotInTime(description: "help")
        }
        var options = try HeapOptions(arguments)
        options.timeout.clock = SteppingClock()
        return try await HeapCommand.text(options, script, telling: tell)
    }

    @Test func heapPollsUntilTheCaptureEndsAndPrintsATable() async throws {
        let script = ScriptedReplies([Self.job(), Self.job("copying"), Self.job("copying"), Self.lines(), Self.lines()])
        var told: [String] = []
        let text = try await Self.run(script) { told.append($0) }
        #expect(told == ["copying the process"])
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(rows[0].hasSuffix("capture 3, 1,000 bytes in 30 blocks; paused 0.8 ms, took 42 ms"))
        #expect(
            rows.dropFirst() == [
                "", "BYTES  RETAINED  COUNT  KIND     TYPE", "  800     4,800     12  class    Screen",
                "   90         -      7  unknown  C\u{FFFD}[2J",
                "and 7 more lines",
            ])
        #expect(
            script.requests == [
                "GET api/v1/summary", "POST api/v1/heaps", "GET api/v1/heaps/3?limit=1", "GET api/v1/heaps/3?limit=1",
                "GET api/v1/heaps/3?limit=1", "GET api/v1/heaps/3?limit=30&sort=bytes",
            ])
    }

    @Test func optionsBecomeParameters() async throws {
        let script = ScriptedReplies([Self.job(), Self.lines(), Self.lines()])
        let words = ["--sort", "name", "--filter", "a b", "--program", "--count", "5"]
        _ = try await Self.run(script, words)
        #expect(script.requests.last == "GET api/v1/heaps/3?limit=5&sort=name&filter=a%20b&ofProgram=1")
    }

    private static func tree(obstacle: String = "null") -> APIReply {
        let groups =
            obstacle == "null"
            ? [
                (1, "null", 1, true, "static Demo.all\\u001b", 0, 900), (2, "null", 1, false, "Queue", 1, 100),
                (3, "1", 2, false, "Screen", 12, 800),
            ].map { id, parent, level, root, name, count, retained in
                """
                {"id":\(id),"parent":\(parent),"level":\(level),"root":\(root),"name":"\(name)","count":\(count),
                 "retained":\(retained),"unlisted":0}
                """
            } : []
        return ScriptedReplies.reply(
            """
            {"heap":\(heap(3)),"bytes":1000,"obstacle":\(obstacle),"total":\(groups.isEmpty ? 0 : 5),"next":null,
             "groups":[\(groups.joined(separator: ","))]}
            """)
    }

    @Test func treeIsPrintedWithItsSharesBelowTheRoots() async throws {
        let script = ScriptedReplies([Self.job(), Self.lines(), Self.tree()])
        let rows = try await Self.run(script, ["--tree"]).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            rows.dropFirst().map(String.init) == [
                "", "RETAINED  SHARE  KEPT BY", "     900    90%  static Demo.all\u{FFFD}",
                "     800    80%    12 × Screen", "     100    10%  Queue", "and 2 more groups",
            ])
        #expect(script.requests.last == "GET api/v1/heaps/3/dominators?levels=4&limit=30")
        let obstacle = ScriptedReplies([Self.job(), Self.lines(), Self.tree(obstacle: #""too little memory.""#)])
        let text = try await Self.run(obstacle, ["--tree"])
        #expect(text.hasSuffix("\nthere are no retained sizes: too little memory."))
        await #expect(throws: UsageError.self) {
            try await Self.run(ScriptedReplies([]), ["--tree", "--since", "1"])
        }
    }

    private static func paths(_ groups: [String], total: Int) -> APIReply {
        let groups = groups.map { #"{"text":"\#($0)"}"# }.joined(separator: ",")
        return ScriptedReplies.reply(
            """
            {"heap":\(heap(3)),"headline":"Screen: 30 now, all examined.","total":\(total),"next":null,
             "groups":[\(groups)]}
            """)
    }

    @Test func pathsToATypeArePrintedWithTheirCounts() async throws {
        let searching = ScriptedReplies.reply(#"{"job":{"progress":"copying"}}"#, status: 202)
        let groups = [#"28 of 30 by static A.b\n  static A.b\n  ↳ .c[…]\n"#, #"1 of 30 by \u001b\n"#]
        let script = ScriptedReplies([Self.job(), Self.lines(), searching, Self.paths(groups, total: 4)])
        var told: [String] = []
        let text = try await Self.run(script, ["--paths", "A b", "--sample", "9"]) { told.append($0) }
        #expect(told == ["copying the process"])
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(String.init) == [
                "Screen: 30 now, all examined.", "", "28 of 30 by static A.b", "  static A.b", "  ↳ .c[…]", "",
                "1 of 30 by \u{FFFD}", "", "and 2 more entries",
            ])
        #expect(script.requests.last == "GET api/v1/heaps/3/paths?type=A%20b&sample=9&limit=30")
        for words in [["--sample", "9"], ["--paths", "A", "--tree"], ["--paths", "A", "--sample", "4097"]] {
            await #expect(throws: UsageError.self) { try await Self.run(ScriptedReplies([]), words) }
        }
    }

    @Test(arguments: [
        (true, "It has no line \u{FFFD}. Names that contain it: \"[A]\", \"B<A>\""),
        (
            false,
            "It has no line \u{FFFD}. tracer-server heap lists the names, and --filter TEXT finds those that contain a "
                + "text"
        ),
    ])
    func namesThatContainAnUnknownTypeAreSuggested(areThereNames: Bool, message: String) async throws {
        let refusal = ScriptedReplies.reply(
            #"{"error":{"code":"unknownType","message":"It has no line \u001b.","hint":"See."}}"#, status: 404)
        let lines = """
            {"name":"[A]","paths":true},{"name":"C memory of A","paths":false},{"name":"B<A>","paths":true}
            """
        let names = ScriptedReplies.reply(#"{"types":[\#(areThereNames ? lines : "")]}"#)
        let script = ScriptedReplies([Self.job(), Self.lines(), refusal, names])
        let failure = await #expect(throws: ClientFailure.self) { try await Self.run(script, ["--paths", "A"]) }
        #expect(failure?.description == message)
    }

    @Test func emptyNameAfterPathsIsAnError() async {
        await #expect(throws: UsageError.self) { try await Self.run(ScriptedReplies([]), ["--paths", ""]) }
    }

    @Test func filterThatMatchesNothingIsSaid() async throws {
        let none = ScriptedReplies.reply(#"{"heap":\#(Self.heap(3)),"total":0,"next":null,"types":[]}"#)
        let text = try await Self.run(ScriptedReplies([Self.job(), none, none]), ["--filter", "xyz"])
        #expect(text.hasSuffix("\nno line of the table matches"))
    }

    @Test func comparisonPrintsChanges() async throws {
        let diff = ScriptedReplies.reply(
            """
            {"from":\(Self.heap(1)),"to":\(Self.heap(3, bytes: 1300)),"total":1,"next":null,"types":[
             {"kind":"class","name":"Screen","type":"Demo.Screen","ofProgram":true,"countBefore":2,"countAfter":12,
              "countChange":10,"bytesBefore":500,"bytesAfter":800,"bytesChange":300,"retainedAfter":4800}]}
            """)
        let script = ScriptedReplies([Self.lines(1), Self.job(), Self.lines(), diff])
        let text = try await Self.run(script, ["--since", "1"])
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        #expect(
            rows == [
                "since capture 1: +300 bytes, 0 blocks", "", "+BYTES  +COUNT  BYTES  RETAINED  COUNT  KIND   TYPE",
                "  +300     +10    800     4,800     12  class  Screen",
            ])
        #expect(script.requests.last == "GET api/v1/heaps/diff?from=1&to=3&limit=30&sort=bytes")
    }

    @Test func jsonIsPrintedUnchanged() async throws {
        let lines = Self.lines()
        let script = ScriptedReplies([Self.job(), lines, lines])
        #expect(try await Self.run(script, ["--json"]) == String(decoding: lines.body, as: UTF8.self).printableJSON)
        #expect(script.requests.last == "GET api/v1/heaps/3?limit=500&sort=bytes")
    }

    @Test func blocksThatAreLeftOutAreReported() async throws {
        let lines = Self.lines(leftOut: #"{"count":5,"bytes":160}"#)
        let text = try await Self.run(ScriptedReplies([Self.job(), lines, lines]))
        #expect(text.contains("\n5 blocks with 160 bytes are left out, because the memory limit is too low\n"))
    }

    @Test func refusalsAreReported() async throws {
        let running = #"{"error":{"code":"captureRunning","message":"Only one.","hint":"Poll it."}}"#
        let refused = try await failure {
            try await Self.run(ScriptedReplies([ScriptedReplies.reply(running, status: 409)]))
        }
        #expect(
            refused == "Only one. Retry when that capture has ended. A page or another command has started it.",
            "the server's hint names a request")
        let gone = #"{"error":{"code":"captureDropped","message":"Capture 1 was dropped.","hint":""}}"#
        let script = ScriptedReplies([ScriptedReplies.reply(gone, status: 404)])
        let dropped = try await failure { try await Self.run(script, ["--since=1"]) }
        #expect(dropped.contains("Capture 1 was dropped."))
        #expect(!script.requests.contains("POST api/v1/heaps"), "no capture is taken in vain")
    }

    @Test func captureThatTakesTooLongIsCancelled() async throws {
        let script = ScriptedReplies([Self.job()])
        let late = try await failure { try await Self.run(script, ["--timeout=0"]) }
        #expect(late.contains("--timeout"))
        #expect(script.requests.suffix(2) == ["GET api/v1/heaps/3?limit=1", "DELETE api/v1/heaps/3"])
    }

    @Test func waitEndsWhenItsTaskIsCancelled() async throws {
        let script = ScriptedReplies([Self.job("copying")])
        let waiting = Task {
            try await failure {
                try await Self.run(script) { _ in withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        // The script answers the request to cancel the capture with a step of the capture.
        #expect(
            try await waiting.value
                == "interrupted; capture 3 could not be cancelled and may still run in the program")
        #expect(script.requests.last == "DELETE api/v1/heaps/3")
    }

    private func failure(_ body: () async throws -> String) async throws -> String {
        do {
            return "no failure: \(try await body())"
        } catch let failure as ClientFailure {
            return failure.description
        }
    }

    @Test(arguments: ["--count=0", "--count=501", "--sort=type", "--since=0", "--since=x", "--timeout=x"])
    func wrongOptionIsAUsageError(word: String) async throws {
        await #expect(throws: UsageError.self) { try await Self.run(ScriptedReplies([]), [word]) }
    }
}
