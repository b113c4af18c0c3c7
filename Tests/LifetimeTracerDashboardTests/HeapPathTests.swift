import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard
@testable import RetainPaths

/// Requests for what holds the objects of a type of a capture.
@Suite(.timeLimit(.minutes(20))) struct HeapPathTests {
    private static let screens = "/api/v1/heaps/1/paths?type=Demo.TextScreen"

    private static func captured(_ capturer: HeapCapturer) async throws -> Bench {
        let bench = Bench(capturer: capturer)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        return bench
    }

    @Test func requestStartsASearchAndReportsProgress() async throws {
        let searches = HeldPathSearches()
        let bench = try await Self.captured(searches.capturer)
        let begun = bench.get("/api/v1/heaps/1/paths?type=Array%3CTextScreen%3E&kind=storage&sample=7&fresh=1&full=1")
        #expect(begun.status == 202 && begun.headers["Retry-After"] == "1")
        let location = "/api/v1/heaps/1/paths?type=Array%3CTextScreen%3E&kind=storage&sample=7&full=1"
        #expect(begun.headers["Location"] == location)
        let call = try await searches.next()
        #expect(call.question.question.sample == 7 && call.question.question.kind == .storage)
        bench.clock.advance(by: .seconds(3))
        for progress in RetainPaths.Progress.allCases {
            call.progress(progress)
            let response = bench.get(location)
            #expect(response.status == 202)
            #expect(try JSON(response)["job"]["progress"].string == progress.rawValue)
            #expect(try JSON(response)["job"]["ageSeconds"].double == 3)
        }
        call.finish()
        let found = try JSON(await bench.answer(location))
        #expect(found["count"].int == 1300 && found["examined"].int == 7)
        #expect(searches.pendingCount == 0, "polls start no other search")
    }

    @Test func groupsTellHowManyObjectsTheyHold() async throws {
        let bench = try await Self.captured(.madeUp)
        let found = try JSON(await bench.answer(Self.screens))
        #expect(
            found["headline"].string == "TextScreen: 1,300 now, 1,024 of them examined, spread evenly over the heap.")
        #expect(found["types"].array.map { $0["type"].string } == ["Demo.TextScreen"])
        let groups = found["groups"].array
        #expect(groups.map { $0["status"].string } == ["reachable", "cycle", "noRootFound"])
        #expect(groups.map { $0["count"].int } == [928, 95, 1])
        #expect(
            groups[0]["headline"].string
                == "928 of 1,024 by static Cache.shared; 4 of them through another TextScreen")
        #expect(groups[0]["steps"].array.map { $0["name"].string } == ["static Cache.shared", "Cache", "TextScreen"])
        #expect(groups[0]["text"].string?.contains("\n  ↳ .entries[…]\n") == true, "\(groups[0])")
        #expect(groups[2]["steps"].array.isEmpty && groups[2]["fingerprint"].isNull)
        let page = try bench.json(Self.screens + "&limit=1&offset=1")
        #expect(page["total"].int == 3 && page["groups"].array.map { $0["count"].int } == [95])
    }

    @Test func typeWithoutObjectsNowHasNoGroups() async throws {
        let bench = try await Self.captured(.madeUp)
        let found = try JSON(await bench.answer("/api/v1/heaps/1/paths?type=Demo.Flow"))
        #expect(found["count"].int == 0 && found["groups"].array.isEmpty)
        #expect(found["headline"].string == "Flow: none now; the capture had 1.")
    }

    @Test(arguments: [
        ("type=Demo.Gone", 404, "unknownType", "has no line \"Demo.Gone\""),
        ("type=TextScreen&kind=actor", 404, "unknownType", "of the kind actor"),
        ("type=C%20and%20unknown", 404, "unknownType", "have no type"), ("type=", 404, "unknownType", "has no line"),
        ("kind=actor", 400, "invalidParameter", "type"), ("type=Demo.Flow&sample=0", 400, "invalidParameter", "sample"),
        ("type=Demo.Flow&sample=4097", 400, "invalidParameter", "sample"),
    ])
    func unusableQuestionIsRefused(query: String, status: Int, code: String, part: String) async throws {
        let bench = try await Self.captured(.madeUp)
        let response = bench.get("/api/v1/heaps/1/paths?\(query)")
        #expect(response.status == status && response.errorCode == code, "\(response.text)")
        #expect(try JSON(response)["error"]["message"].string?.contains(part) == true, "\(response.text)")
    }

    @Test func captureWithoutAResultIsRefused() async throws {
        let bench = try await Self.captured(.madeUp)
        #expect(bench.get("/api/v1/heaps/7/paths?type=Flow").errorCode == "unknownCapture")
        _ = try await bench.answer(Self.screens)
        #expect(bench.send("DELETE", "/api/v1/heaps/1").status == 204)
        let dropped = bench.get(Self.screens)
        #expect(dropped.status == 404 && dropped.errorCode == "captureDropped", "also if a result was kept")
    }

    @Test(arguments: [
        (RetainPathsError.unavailable(reason: "no heap."), 501, "notAvailable"),
        (.outOfMemory(limit: 5), 503, "searchFailed"), (.timedOut(after: .seconds(30)), 503, "searchFailed"),
    ])
    func failureIsReportedUntilTheSearchIsRepeated(error: RetainPathsError, status: Int, code: String) async throws {
        let searches = HeldPathSearches()
        let bench = try await Self.captured(searches.capturer)
        _ = bench.get(Self.screens)
        try await searches.next().finish(.failure(error))
        let failed = try await bench.answer(Self.screens)
        #expect(failed.status == status && failed.errorCode == code, "\(failed.text)")
        #expect(bench.get(Self.screens).status == status, "a poll does not repeat a failed search")
        #expect(bench.get(Self.screens + "&fresh=1").status == 202)
        try await searches.next().finish()
        #expect(try await bench.answer(Self.screens).status == 200)
    }

    @Test func searchesAreBounded() async throws {
        let searches = HeldPathSearches()
        let bench = try await Self.captured(searches.capturer)
        for sample in 1...HeapPathSearches.jobLimit {
            #expect(bench.get(Self.screens + "&sample=\(sample)").status == 202)
        }
        let refused = bench.get(Self.screens)
        #expect(refused.status == 429 && refused.errorCode == "tooManySearches")
        #expect(bench.get(Self.screens + "&sample=1").status == 202, "a poll is no new search")
        searches.finishAll()
        _ = try await bench.answer(Self.screens + "&sample=1")
        #expect(try await bench.answer(Self.screens).status == 200)
    }

    @Test func pageOfAnotherSiteStartsNoSearch() async throws {
        let searches = HeldPathSearches()
        let bench = try await Self.captured(searches.capturer)
        let response = bench.get(Self.screens, headers: [("Sec-Fetch-Site", "cross-site")])
        #expect(response.status == 403)
        #expect(searches.pendingCount == 0)
    }

    @Test func linesTellWhetherTheyHavePaths() async throws {
        let bench = try await Self.captured(.madeUp)
        let lines = try bench.json("/api/v1/heaps/1")["types"].array
        #expect(lines.allSatisfy { $0["paths"].bool == !["unknown", "leftOut"].contains($0["kind"].string) })
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/2")
        let changes = try bench.json("/api/v1/heaps/diff?from=1")["types"].array
        #expect(changes.first { $0["name"].string == "TextScreen" }?["paths"].bool == true)
        #expect(changes.first { $0["name"].string == "Flow" }?["paths"].bool == false, "no flow is left")
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func realSearchFindsTheHoldersOfTheRegistry() async throws {
        let bench = try await Self.captured(.inACopy(RetainPaths.Options()))
        let path = "/api/v1/heaps/1/paths?type=LifetimeTracer.LifetimeRegistry&kind=class"
        let found = try JSON(await bench.answer(path))
        let (count, examined) = (try #require(found["count"].int), try #require(found["examined"].int))
        // Other tests also have registries, which are held in many ways.
        #expect(count > 0 && examined == min(count, 1024))
        let counts = try bench.all("groups", of: path).map { $0["count"].int ?? 0 }
        #expect(counts.reduce(0, +) == examined && counts == counts.sorted(by: >))
    }
}
