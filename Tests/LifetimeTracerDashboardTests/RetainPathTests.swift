import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard
@testable import RetainPaths

/// Requests for retain paths: start, progress and result.
@Suite(.timeLimit(.minutes(20))) struct RetainPathTests {
    private static func path(_ id: Int, _ query: String = "") -> String {
        "/api/v1/instances/\(id)/retain-path\(query)"
    }

    private static func held(_ count: Int = 3) -> (HeldExplainer, Bench, [Session]) {
        let explainer = HeldExplainer()
        let bench = Bench(explainer: explainer.explainer)
        return (explainer, bench, bench.registry.withCurrent { (0..<count).map { _ in Session() } })
    }

    @Test func detailsOfAnInstanceSayWhetherItsPathIsKnown() async throws {
        let story = try Story(explainer: .madeUp)
        #expect(try story.bench.json("/api/v1/instances/3")["retainStatus"].isNull)
        let path = try JSON(await story.bench.answer("/api/v1/instances/3/retain-path"))
        let status = try #require(path["status"].string)
        #expect(try story.bench.json("/api/v1/instances/3")["retainStatus"].string == status)
    }

    @Test func requestStartsSearchAndReportsProgress() async throws {
        let (explainer, bench, sessions) = Self.held()
        let begun = bench.get(Self.path(2, "?full=1&fresh=1"))
        #expect(begun.status == 202)
        #expect(begun.headers["Location"] == "/api/v1/instances/2/retain-path?full=1", "without beginning another one")
        #expect(begun.headers["Retry-After"] == "1")
        #expect(try JSON(begun)["job"]["state"].string == "waiting")
        let call = try await explainer.next()
        #expect(call.ids == [InstanceID(rawValue: 2)])
        bench.clock.advance(by: .seconds(3))
        for progress in RetainPaths.Progress.allCases {
            call.progress(progress)
            let job = try JSON(bench.get(Self.path(2)))["job"]
            #expect(job["progress"].string == progress.rawValue)
            #expect(job["state"].string == "searching")
            #expect(job["ageSeconds"].double == 3)
            #expect(job["startedAt"].string != nil)
        }
        call.finish()
        let found = try await bench.answer(Self.path(2))
        #expect(found.status == 200)
        #expect(found.headers["Cache-Control"] == "no-store")
        #expect(try JSON(found)["status"].string == "reachable")
        withExtendedLifetime(sessions) {}
    }

    @Test func resultIsKeptUntilExpiry() async throws {
        let (explainer, bench, sessions) = Self.held()
        _ = bench.get(Self.path(2))
        try await explainer.next().finish()
        _ = try await bench.answer(Self.path(2))
        bench.clock.advance(by: RetainSearches.keptFor)
        let kept = bench.get(Self.path(2))
        #expect(kept.status == 200)
        #expect(try JSON(kept)["ageSeconds"].double == 300)
        #expect(explainer.pendingCount == 0, "nothing was searched for")
        bench.clock.advance(by: .seconds(1))
        #expect(bench.get(Self.path(2)).status == 202)
        try await explainer.next().finish()
        withExtendedLifetime(sessions) {}
    }

    @Test func freshRequestRepeatsTheSearch() async throws {
        let (explainer, bench, sessions) = Self.held()
        _ = bench.get(Self.path(2))
        try await explainer.next().finish()
        _ = try await bench.answer(Self.path(2))
        #expect(bench.get(Self.path(2, "?fresh=0")).status == 200)
        #expect(bench.get(Self.path(2, "?fresh=1")).status == 202)
        #expect(bench.get(Self.path(2)).status == 202, "what was found before does not count any more")
        try await explainer.next().finish(RetainExplanation.unexplained)
        let found = try await bench.answer(Self.path(2))
        #expect(try JSON(found)["status"].string == "noRootFound")
        withExtendedLifetime(sessions) {}
    }

    @Test func requestsDuringASearchShareTheNextSearch() async throws {
        let (explainer, bench, sessions) = Self.held(4)
        _ = bench.get(Self.path(2))
        let first = try await explainer.next()
        for id in [4, 3, 4] { #expect(bench.get(Self.path(id)).status == 202) }
        #expect(try JSON(bench.get(Self.path(3)))["job"]["state"].string == "waiting")
        #expect(try JSON(bench.get(Self.path(3)))["job"]["together"].int == 2)
        #expect(explainer.pendingCount == 0, "one search at a time")
        first.finish()
        let second = try await explainer.next()
        #expect(second.ids.map(\.rawValue) == [3, 4])
        second.finish()
        #expect(try await bench.answer(Self.path(4)).status == 200)
        #expect(bench.get(Self.path(3)).status == 200)
        withExtendedLifetime(sessions) {}
    }

    @Test func searchIncludesOverdueInstances() async throws {
        let (explainer, bench, sessions) = Self.held(4)
        for session in sessions.dropFirst() {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        }
        bench.pass(.seconds(2))
        _ = bench.get(Self.path(3))
        let call = try await explainer.next()
        #expect(call.ids.map(\.rawValue) == [3, 2, 4])
        call.finish { $0.rawValue == 3 ? .inACycle($0, culprit: InstanceID(rawValue: 2)) : .madeUp($0) }
        let found = try JSON(await bench.answer(Self.path(3)))
        #expect(found["culprit"]["id"].int == 2)
        #expect(found["culprit"]["type"].string == "Demo.TextScreen")
        let culprit = try bench.json(Self.path(2))
        #expect(culprit["victims"].array.compactMap { $0["id"].int } == [3])
        #expect(culprit["text"].string?.contains("Victim: Cell #3") == true)
        withExtendedLifetime(sessions) {}
    }

    @Test func failureOfSearchIsReportedAndExpires() async throws {
        let (explainer, bench, sessions) = Self.held()
        let failures: [(any Error, Int, String, String)] = [
            (RetainPathsError.unavailable(reason: "musl"), 501, "notAvailable", "musl"),
            (RetainPathsError.timedOut(after: .seconds(30)), 503, "searchFailed", "30"),
            (RetainPathsError.outOfMemory(limit: 4096), 503, "searchFailed", "4096"),
            (RetainPathsError.failed(reason: "signal 11"), 503, "searchFailed", "signal 11"),
            (NotFound(), 503, "searchFailed", "NotFound"),
        ]
        for (error, status, code, part) in failures {
            _ = bench.get(Self.path(2, "?fresh=1"))
            try await explainer.next().finish(.failure(error))
            let response = try await bench.answer(Self.path(2))
            #expect(response.status == status)
            #expect(response.errorCode == code)
            #expect(response.errorMessage.contains(part), "\(response.errorMessage)")
            #expect(bench.get(Self.path(2)).status == status, "for all who wait for it")
        }
        bench.clock.advance(by: RetainSearches.failureKeptFor + .seconds(1))
        #expect(bench.get(Self.path(2)).status == 202, "and then it is tried again")
        try await explainer.next().finish()
        withExtendedLifetime(sessions) {}
    }

    private struct NotFound: Error {}

    @Test func instanceThatDiesDuringSearchIsReportedAsDead() async throws {
        let explainer = HeldExplainer()
        let bench = Bench(explainer: explainer.explainer)
        var session: Session? = bench.registry.withCurrent { Session() }
        _ = bench.get(Self.path(1))
        let call = try await explainer.next()
        withExtendedLifetime(session) {}
        session = nil
        #expect(bench.get(Self.path(1)).errorCode == "instanceDied")
        call.finish { RetainExplanation(instance: $0, type: TypeName(module: "", name: "instance"), status: .gone) }
        #expect(bench.get(Self.path(1)).errorCode == "instanceDied")
    }

    @Test func waitingRequestsAndResultsAreBounded() async throws {
        let (explainer, bench, sessions) = Self.held(RetainSearches.jobLimit + 1)
        let ids = (1...RetainSearches.jobLimit).map(String.init).joined(separator: ",")
        #expect(bench.post("/api/v1/retain-paths", "{\"ids\":[\(ids)]}").status == 202)
        let last = Self.path(RetainSearches.jobLimit + 1)
        let refused = bench.get(last)
        #expect(refused.status == 429)
        #expect(refused.errorCode == "tooManySearches")
        #expect(refused.headers["Retry-After"] == "1")
        #expect(bench.post("/api/v1/retain-paths", "{\"ids\":[1,2]}").status == 429)
        #expect(bench.get(Self.path(7)).status == 202, "those that were asked before are not")
        let drops = try bench.json("/api/v1/summary")["drops"].array
        #expect(drops.first { $0["buffer"].string == "retainSearches" }?["dropped"].int == 3)
        #expect(bench.get("/metrics").text.contains(#"lifetime_tracer_dropped_total{buffer="retainSearches"} 3"#))
        try await explainer.next().finish(RetainExplanation.unexplained)
        #expect(try await bench.answer(Self.path(7)).status == 200)
        #expect(bench.get(last).status == 202)
        try await explainer.next().finish(RetainExplanation.unexplained)
        #expect(try await bench.answer(last).status == 200)
        let searches = try bench.json("/api/v1/retain-paths?limit=1")
        #expect(searches["total"].int == RetainSearches.keptLimit, "what was found is bounded, too")
        #expect(searches["searches"]["dropped"].int == 4)
        withExtendedLifetime(sessions) {}
    }

    @Test func searchWithoutPollingClientIsCancelled() async throws {
        let (explainer, bench, sessions) = Self.held()
        _ = bench.get(Self.path(1))
        let first = try await explainer.next()
        _ = bench.get(Self.path(2))
        bench.clock.advance(by: RetainSearches.patience + .seconds(1))
        #expect(explainer.cancellations == 0)
        _ = bench.get(Self.path(3))
        #expect(explainer.cancellations == 1, "the search, as it stands in the way of another one")
        first.finish(.failure(CancellationError()))
        let second = try await explainer.next()
        #expect(second.ids.map(\.rawValue) == [3], "and the question that waited for it")
        second.finish()
        #expect(try await bench.answer(Self.path(3)).status == 200)
        #expect(bench.get(Self.path(1)).status == 202)
        try await explainer.next().finish()
        withExtendedLifetime(sessions) {}
    }

    @Test func searchWithPollingClientContinues() async throws {
        let (explainer, bench, sessions) = Self.held()
        _ = bench.get(Self.path(1))
        let call = try await explainer.next()
        for target in [Self.path(1), "/api/v1/retain-paths"] {
            bench.clock.advance(by: RetainSearches.patience)
            _ = bench.get(target)
            bench.clock.advance(by: .seconds(1))
            call.progress(.searching)
        }
        #expect(explainer.cancellations == 0)
        bench.clock.advance(by: RetainSearches.patience)
        call.progress(.naming)
        #expect(explainer.cancellations == 1, "now nobody does")
        call.finish()
        withExtendedLifetime(sessions) {}
    }

    @Test func oneRequestSearchesForSeveralInstances() async throws {
        let (explainer, bench, sessions) = Self.held()
        let begun = bench.post("/api/v1/retain-paths", #"{"ids":[3,1,3,99]}"#)
        #expect(begun.status == 202)
        #expect(begun.headers["Location"] == "/api/v1/retain-paths")
        #expect(try JSON(begun)["asked"].array.compactMap(\.int) == [3, 1])
        #expect(try JSON(begun)["missing"].array.compactMap(\.int) == [99])
        let call = try await explainer.next()
        #expect(call.ids.map(\.rawValue) == [1, 3])
        call.progress(.walking)
        let running = try bench.json("/api/v1/retain-paths")["searches"]
        #expect(running["running"]["instances"].int == 2)
        #expect(running["running"]["progress"].string == "walking")
        call.finish()
        _ = try await bench.answer(Self.path(3))
        let list = try bench.json("/api/v1/retain-paths")
        #expect(list["searches"]["running"].isNull)
        #expect(list["searches"]["waiting"].int == 0)
        #expect(list["retainPaths"].array.compactMap { $0["instance"].int } == [1, 3])
        #expect(try bench.json("/api/v1/retain-paths?limit=1")["next"].string != nil)
        withExtendedLifetime(sessions) {}
    }

    @Test(arguments: [
        "", "[]", "7", "nonsense", "{}", #"{"ids":[]}"#, #"{"ids":7}"#, #"{"ids":["7"]}"#, #"{"ids":[-1]}"#,
        #"{"ids":[1.5]}"#, #"{"ids":[0]}"#, #"{"ids":[9223372036854775808]}"#,
        #"{"ids":[99999999999999999999]}"#, #"{"ids":[1],"full":true}"#, #"{"ids":[1],"ids":[2]}"#,
        #"{"ids":[\#(Array(repeating: "1", count: 501).joined(separator: ","))]}"#,
    ]) func malformedListOfIdsIsRefused(body: String) {
        let response = Bench().post("/api/v1/retain-paths", body)
        #expect(response.status == 400)
        #expect(response.errorCode == "malformedBody")
        #expect(response.errorHint.contains(#"{"ids":[17,18]}"#))
    }

    @Test func wrongMethodOriginOrMediaTypeIsRefused() {
        let bench = Bench()
        #expect(bench.send("DELETE", "/api/v1/retain-paths").status == 405)
        #expect(bench.send("POST", Self.path(1)).status == 405)
        #expect(bench.send("POST", "/api/v1/retain-paths", headers: [("Origin", "http://evil.com")]).status == 403)
        #expect(bench.send("POST", "/api/v1/retain-paths", body: "{}").status == 415)
    }

    @Test func pageOfAnotherSiteCannotStartASearch() async throws {
        let (explainer, bench, sessions) = Self.held()
        for site in ["cross-site", "same-site"] {
            let refused = bench.get(Self.path(1), headers: [("Sec-Fetch-Site", site)])
            #expect(refused.status == 403)
            #expect(refused.errorCode == "foreignOrigin")
        }
        #expect(try bench.json("/api/v1/retain-paths")["searches"]["running"].isNull)
        #expect(bench.get(Self.path(1), headers: [("Sec-Fetch-Site", "same-origin")]).status == 202)
        try await explainer.next().finish()
        withExtendedLifetime(sessions) {}
    }

    @Test func noSearchRunsWithoutARequest() throws {
        let (explainer, bench, sessions) = Self.held()
        try bench.registry.expectDeallocation(of: sessions[0], within: .seconds(1), because: "logged out")
        bench.pass(.seconds(2))
        for target in ["/api/v1/overdue", "/api/v1/retain-paths", "/api/v1/instances/1", "/api/v1/summary"] {
            #expect(bench.get(target).status == 200)
        }
        #expect(try bench.json("/api/v1/retain-paths")["searches"]["running"].isNull)
        #expect(explainer.pendingCount == 0)
        withExtendedLifetime(sessions) {}
    }
}
