import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard
@testable import RetainPaths

/// Requests for captures of the heap: start, progress, result, comparison and limits.
@Suite(.timeLimit(.minutes(20))) struct HeapTests {
    private static func held() -> (HeldCapturer, Bench) {
        let capturer = HeldCapturer()
        return (capturer, Bench(capturer: capturer.capturer))
    }

    /// The message about a capture that is not kept any more, whatever the reason: a request to delete it, the limit of
    /// captures, or the limit of bytes.
    private static func noLongerKept(_ id: Int) -> String {
        "Capture \(id) is no longer kept: a client has deleted it, or it made room for newer captures. At most 8 "
            + "captures are kept, and at most 32 MiB of them."
    }

    @Test func requestStartsCaptureAndReportsProgress() async throws {
        let (capturer, bench) = Self.held()
        let begun = bench.post("/api/v1/heaps")
        #expect(begun.status == 202)
        #expect(begun.headers["Location"] == "/api/v1/heaps/1" && begun.headers["Retry-After"] == "1")
        #expect(try JSON(begun)["job"]["id"].int == 1)
        let call = try await capturer.next()
        bench.clock.advance(by: .seconds(3))
        for progress in RetainPaths.Progress.allCases {
            call.progress(progress)
            let response = bench.get("/api/v1/heaps/1")
            #expect(response.status == 202 && response.headers["Location"] == "/api/v1/heaps/1")
            #expect(try JSON(response)["job"]["progress"].string == progress.rawValue)
            #expect(try JSON(response)["job"]["ageSeconds"].double == 3)
        }
        #expect(try bench.json("/api/v1/heaps")["running"]["id"].int == 1)
        #expect(try bench.json("/api/v1/heaps")["heaps"].array.isEmpty)
        call.finish()
        let found = try JSON(await bench.answer("/api/v1/heaps/1"))
        #expect(found["heap"]["id"].int == 1 && found["total"].int == 7)
        #expect(found["types"][0]["name"].string == "C and unknown", "the line with the most bytes is first")
        #expect(try bench.json("/api/v1/heaps")["running"].isNull)
    }

    @Test func onlyOneCaptureRunsAtATime() async throws {
        let (capturer, bench) = Self.held()
        _ = bench.post("/api/v1/heaps")
        let second = bench.post("/api/v1/heaps")
        #expect(second.status == 409 && second.errorCode == "captureRunning")
        #expect(second.errorHint.contains("/api/v1/heaps/1"))
        try await capturer.next().finish()
        _ = try await bench.answer("/api/v1/heaps/1")
        #expect(bench.post("/api/v1/heaps").headers["Location"] == "/api/v1/heaps/2")
        capturer.finishAll()
        _ = try await bench.answer("/api/v1/heaps/2")
    }

    @Test func captureCanBeCancelled() async throws {
        let (capturer, bench) = Self.held()
        _ = bench.post("/api/v1/heaps")
        let call = try await capturer.next()
        #expect(bench.send("DELETE", "/api/v1/heaps/1").status == 204)
        #expect(capturer.cancellations == 1)
        call.finish(.failure(CancellationError()))
        let gone = try await bench.answer("/api/v1/heaps/1")
        #expect(gone.status == 404 && gone.errorCode == "captureCancelled")
        #expect(bench.send("DELETE", "/api/v1/heaps/1").status == 404)
        #expect(bench.post("/api/v1/heaps").status == 202)
        capturer.finishAll()
        _ = try await bench.answer("/api/v1/heaps/2")
    }

    @Test(arguments: [
        (RetainPathsError.unavailable(reason: "no heap."), 501, "notAvailable"),
        (.outOfMemory(limit: 5), 503, "captureFailed"), (.timedOut(after: .seconds(30)), 503, "captureFailed"),
        (.failed(reason: "it broke."), 503, "captureFailed"),
    ])
    func failureIsReported(error: RetainPathsError, status: Int, code: String) async throws {
        let (capturer, bench) = Self.held()
        _ = bench.post("/api/v1/heaps")
        try await capturer.next().finish(.failure(error))
        let response = try await bench.answer("/api/v1/heaps/1")
        #expect(response.status == status && response.errorCode == code, "\(response.text)")
        #expect(try bench.json("/api/v1/heaps")["heaps"].array.isEmpty)
        let diff = bench.get("/api/v1/heaps/diff?from=1")
        #expect(diff.status == status && diff.errorCode == code)
    }

    @Test func oldCapturesMakeRoomForNewOnes() async throws {
        let bench = Bench(capturer: .madeUp)
        for id in 1...HeapCaptures.keptLimit + 2 {
            #expect(bench.post("/api/v1/heaps").status == 202)
            _ = try await bench.answer("/api/v1/heaps/\(id)")
        }
        let list = try bench.json("/api/v1/heaps")
        #expect(list["heaps"].array.map { $0["id"].int } == (3...HeapCaptures.keptLimit + 2).reversed().map { $0 })
        #expect(list["dropped"].int == 2 && list["limit"].int == HeapCaptures.keptLimit)
        let gone = bench.get("/api/v1/heaps/2")
        #expect(gone.status == 404 && gone.errorCode == "captureDropped")
        #expect(gone.errorMessage == Self.noLongerKept(2))
        #expect(bench.send("DELETE", "/api/v1/heaps/5").status == 204)
        #expect(bench.get("/api/v1/heaps/5").errorCode == "captureDropped")
        #expect(bench.get("/api/v1/heaps/5").errorMessage == Self.noLongerKept(5))
        #expect(bench.get("/api/v1/heaps/11").errorCode == "unknownCapture")
        #expect(bench.get("/api/v1/heaps/diff?from=2").errorCode == "captureDropped")
    }

    @Test func keptCapturesAreBoundedInBytes() async throws {
        let (capturer, bench) = Self.held()
        let text = String(repeating: "x", count: HeapCaptures.byteLimit / 3)
        for id in 1...4 {
            _ = bench.post("/api/v1/heaps")
            let line = HeapGraph.Line(kind: .instance, name: text, count: 1, bytes: 1)
            try await capturer.next().finish(.success(HeapGraph(lines: [line], cost: RetainCost())))
            _ = try await bench.answer("/api/v1/heaps/\(id)?limit=1&filter=none")
        }
        let list = try bench.json("/api/v1/heaps")
        #expect(list["heaps"].array.map { $0["id"].int } == [4, 3])
        #expect(list["dropped"].int == 2)
        #expect(bench.get("/api/v1/heaps/2").errorMessage == Self.noLongerKept(2))
    }

    @Test(arguments: [
        ("", ["C and unknown", "Dispatch queue", "left out", "Flow", "Array<TextScreen>"]),
        ("?sort=count", ["C and unknown", "left out", "Dispatch queue"]),
        ("?sort=name&limit=2", ["Array<TextScreen>", "C and unknown"]),
        ("?sort=bytes&order=asc&limit=1", ["TextScreen"]),
        ("?sort=retained&limit=2", ["Array<TextScreen>", "TextScreen"]),
        ("?kind=actor", ["Flow"]),
        ("?filter=demo.TEXT", ["Array<TextScreen>", "TextScreen"]),
        ("?ofProgram=1&sort=bytes&limit=2", ["Flow", "Array<TextScreen>"]), ("?offset=5", ["TextScreen"]),
    ])
    func linesAreSelectedAndSorted(query: String, names: [String]) async throws {
        let bench = Bench(capturer: .madeUp)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        let found = try bench.json("/api/v1/heaps/1\(query)")["types"].array.map { $0["name"].string ?? "" }
        #expect(Array(found.prefix(names.count)) == names)
    }

    @Test func pagesContainEachLineOnce() async throws {
        let bench = Bench(capturer: .madeUp)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        var names: [String] = []
        var next = ""
        repeat {
            let page = try bench.json("/api/v1/heaps/1?limit=2\(next)")
            names += page["types"].array.map { $0["name"].string ?? "" }
            next = page["next"].string.map { "&after=\($0)" } ?? ""
        } while !next.isEmpty
        #expect(names.count == 7 && Set(names).count == 7)
    }

    @Test func comparisonShowsGrowthFirst() async throws {
        let bench = Bench(capturer: .madeUp)
        for id in 1...3 {
            _ = bench.post("/api/v1/heaps")
            _ = try await bench.answer("/api/v1/heaps/\(id)")
        }
        let diff = try bench.json("/api/v1/heaps/diff?from=1&to=3")
        #expect(diff["from"]["id"].int == 1 && diff["to"]["id"].int == 3)
        let first = diff["types"][0]
        #expect(first["name"].string == "TextScreen" && first["countChange"].int == 2 && first["bytesChange"].int == 96)
        #expect(first["retainedBefore"].int == 48 && first["retainedAfter"].int == 144)
        #expect(first["retainedChange"].int == 96)
        #expect(diff["types"][1]["name"].string == "Array<TextScreen>" && diff["types"][1]["bytesChange"].int == 32)
        let last = try #require(diff["types"].array.last)
        #expect(last["name"].string == "Flow" && last["countAfter"].int == 0 && last["bytesChange"].int == -160)
        #expect(try bench.json("/api/v1/heaps/diff?from=2")["to"]["id"].int == 3, "the newest is the default")
        let back = try bench.json("/api/v1/heaps/diff?from=3&to=1&sort=count&ofProgram=1")
        #expect(back["types"][0]["name"].string == "Flow" && back["types"][0]["countChange"].int == 1)
        let retaining = try bench.json("/api/v1/heaps/diff?from=1&to=3&sort=retained")
        #expect(retaining["types"][0]["name"].string == "Array<TextScreen>", "its bytes grew less")
    }

    @Test(arguments: [
        ("", ["Cell", "Page", "Stray"]), ("?known=0", ["Cell", "Stray"]), ("?known=1", ["Page"]),
        ("?kind=cycle", ["Cell", "Page"]), ("?kind=overRetained", ["Stray"]), ("?kind=uncertainCycle", []),
        ("?limit=1&offset=1", ["Page"]),
    ])
    func leaksAreSelected(query: String, names: [String]) async throws {
        let bench = Bench(capturer: .madeUp)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        let found = try bench.json("/api/v1/heaps/1/leaks\(query)")
        #expect(found["leaks"].array.map { $0["name"].string ?? "" } == names)
        #expect(found["cycles"].int == 1206 && found["knownCycles"].int == 2, "the selection does not matter")
    }

    @Test(arguments: [
        ("", ["thread 'main'", "Dispatch queue", "static Demo.screens"], 1300 - 1000 - 160 - 96),
        ("?under=1", ["Array<TextScreen>"], 0), ("?under=3", ["TextScreen"], 32), ("?under=4", [], 0),
        ("?under=1&levels=2", ["Array<TextScreen>", "TextScreen"], 0),
        ("?levels=8&limit=2&offset=3", ["Array<TextScreen>", "TextScreen"], 1300 - 1000 - 160 - 96),
    ])
    func groupsBelowAGroupAreListed(query: String, names: [String], unlisted: Int) async throws {
        let bench = Bench(capturer: .madeUp)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        let found = try bench.json("/api/v1/heaps/1/dominators\(query)")
        #expect(found["groups"].array.map { $0["name"].string ?? "" } == names)
        #expect(found["unlisted"].int == unlisted)
        #expect(found["bytes"].int == 1348 && found["leftOut"].int == 2 && found["obstacle"].isNull)
    }

    @Test func groupTellsItsPlace() async throws {
        let bench = Bench(capturer: .madeUp)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        let found = try bench.json("/api/v1/heaps/1/dominators?under=3")
        #expect(found["path"].array.map { $0["id"].int } == [1, 3])
        #expect(found["path"][0]["root"].bool == true && found["path"][1]["root"].bool == false)
        #expect(found["path"][1]["unlisted"].int == 32 && found["path"][1]["groups"].int == 1)
        let screens = found["groups"][0]
        #expect(screens["id"].int == 4 && screens["parent"].int == 3 && screens["level"].int == 1)
        let unknown = bench.get("/api/v1/heaps/1/dominators?under=6")
        #expect(unknown.status == 404 && unknown.errorCode == "unknownGroup")
        #expect(bench.get("/api/v1/heaps/2/dominators").errorCode == "unknownCapture")
        #expect(bench.get("/api/v1/heaps/1/dominators?levels=9").status == 400)
    }

    @Test func obstacleOfRetainedSizesIsReported() async throws {
        let (capturer, bench) = Self.held()
        _ = bench.post("/api/v1/heaps")
        let retained = HeapGraph.RetainedSizes(obstacle: "too little memory.")
        try await capturer.next().finish(.success(HeapGraph(lines: [], retained: retained, cost: RetainCost())))
        _ = try await bench.answer("/api/v1/heaps/1")
        let found = try bench.json("/api/v1/heaps/1/dominators")
        #expect(found["obstacle"].string == "too little memory." && found["groups"].array.isEmpty)
    }

    @Test func acknowledgedLeakIsKnown() async throws {
        let bench = Bench(capturer: .madeUp)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        let cell = try bench.json("/api/v1/heaps/1/leaks")["leaks"][0]
        #expect(cell["known"].isNull)
        let fingerprint = try #require(cell["fingerprint"].string)
        let body = #"{"fingerprint":"\#(fingerprint)","reason":"later"}"#
        #expect(bench.post("/api/v1/acknowledged-leaks", body).status == 201)
        let found = try bench.json("/api/v1/heaps/1/leaks")
        #expect(found["leaks"][0]["known"]["reason"].string == "later" && found["knownCycles"].int == 1206)
    }

    @Test func leaksOfARunningCaptureAreNotThereYet() async throws {
        let (capturer, bench) = Self.held()
        _ = bench.post("/api/v1/heaps")
        let early = bench.get("/api/v1/heaps/1/leaks")
        #expect(early.status == 404 && early.errorCode == "captureRunning")
        capturer.finishAll()
        _ = try await bench.answer("/api/v1/heaps/1")
        #expect(bench.get("/api/v1/heaps/1/leaks").status == 200)
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func realCaptureListsTheTypesOfTheProcess() async throws {
        let bench = Bench(capturer: .inACopy(RetainPaths.Options()))
        _ = bench.post("/api/v1/heaps")
        let found = try JSON(await bench.answer("/api/v1/heaps/1?kind=class&filter=LifetimeRegistry&sort=name"))
        #expect(found["types"].array.contains { $0["type"].string == "LifetimeTracer.LifetimeRegistry" })
        #expect(found["heap"]["bytes"].int ?? 0 > 100_000)
    }
}
