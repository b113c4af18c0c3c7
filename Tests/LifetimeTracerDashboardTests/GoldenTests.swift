import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Compares whole response bodies of every wire type byte by byte.
@Suite struct GoldenTests {
    @Test(arguments: [
        ("/api/v1/summary", "summary.json"), ("/api/v1/types", "types.json"), ("/api/v1/instances", "instances.json"),
        ("/api/v1/instances/2", "instance.json"), ("/api/v1/tokens", "tokens.json"),
        ("/api/v1/tokens?groupBy=event", "tokens-by-event.json"),
        ("/api/v1/tokens?groupBy=ownerType", "tokens-by-owner-type.json"), ("/api/v1/overdue", "overdue.json"),
        ("/api/v1/history", "history.json"), ("/api/v1/marks", "marks.json"),
        ("/api/v1/timeline", "timeline.json"), ("/api/v1/tokens?sort=orphaned", "tokens-orphaned-first.json"),
        ("/api/v1/diff?from=before", "diff.json"), ("/healthz", "health.json"), ("/metrics", "metrics.txt"),
        ("/api/v1/openapi.json", "openapi.json"),
    ])
    func responseBodyMatchesGoldenFile(_ target: String, _ file: String) throws {
        let story = try Story(routes: ProgramRoutes.all)
        let response = story.bench.get(target)
        #expect(response.status == 200)
        // The form depends on the system, and on the sanitizer of this build.
        let text = response.text.replacing(#""stripes":"locked""#, with: #""stripes":"plain""#)
        try Golden.expect(text, equals: file)
    }

    @Test(arguments: [
        ("/api/v1/instances/2/retain-path", "retain-path.json"),
        ("/api/v1/instances/2/retain-path?full=1", "retain-path-full.json"),
        ("/api/v1/instances/3/retain-path", "retain-path-cycle.json"),
        ("/api/v1/retain-paths?limit=1", "retain-paths.json"), ("/api/v1/overdue", "overdue-explained.json"),
    ])
    func retainPathBodyMatchesGoldenFile(_ target: String, _ file: String) async throws {
        let story = try Story(explainer: .madeUp)
        _ = try await story.bench.answer("/api/v1/instances/3/retain-path")
        _ = try await story.bench.answer("/api/v1/instances/2/retain-path")
        story.bench.pass(.seconds(2))
        try Golden.expect(story.bench.get(target).text, equals: file)
    }

    @Test(arguments: [
        ("/api/v1/heaps", "heaps.json"), ("/api/v1/heaps/1", "heap.json"),
        ("/api/v1/heaps/2?ofProgram=1&limit=1&sort=name", "heap-page.json"),
        ("/api/v1/heaps/diff?from=1", "heap-diff.json"), ("/api/v1/heaps/1/leaks", "heap-leaks.json"),
        ("/api/v1/heaps/1/dominators?levels=3", "heap-dominators.json"),
        ("/api/v1/heaps/1/tasks?ofProgram=1&limit=2", "heap-tasks.json"),
    ])
    func heapBodyMatchesGoldenFile(_ target: String, _ file: String) async throws {
        let story = try Story(capturer: .madeUp)
        for id in 1...2 {
            _ = story.bench.post("/api/v1/heaps")
            _ = try await story.bench.answer("/api/v1/heaps/\(id)")
        }
        story.bench.pass(.seconds(2))
        try Golden.expect(story.bench.get(target).text, equals: file)
    }

    @Test func startedHeapMatchesGoldenFile() throws {
        let capturer = HeldCapturer()
        let story = try Story(capturer: capturer.capturer)
        defer { capturer.finishAll() }
        try Golden.expect(story.bench.post("/api/v1/heaps").text, equals: "heap-job.json")
    }

    @Test func heapPathsMatchGoldenFiles() async throws {
        let target = "/api/v1/heaps/1/paths?type=TextScreen&sample=900"
        let story = try Story(capturer: .madeUp)
        _ = story.bench.post("/api/v1/heaps")
        _ = try await story.bench.answer("/api/v1/heaps/1")
        let found = try await story.bench.answer(target)
        try Golden.expect(found.text, equals: "heap-paths.json")
        let searches = HeldPathSearches()
        let held = try Story(capturer: searches.capturer)
        defer { searches.finishAll() }
        _ = held.bench.post("/api/v1/heaps")
        _ = try await held.bench.answer("/api/v1/heaps/1")
        try Golden.expect(held.bench.get(target).text, equals: "heap-paths-job.json")
    }

    @Test func retainPathJobMatchesGoldenFile() throws {
        let explainer = HeldExplainer()
        let story = try Story(explainer: explainer.explainer)
        defer { explainer.finishAll() }
        try Golden.expect(story.bench.get("/api/v1/instances/2/retain-path").text, equals: "retain-job.json")
    }

    @Test func errorBodyMatchesGoldenFile() throws {
        let story = try Story()
        let response = story.bench.get("/api/v1/types?sorrt=live")
        #expect(response.status == 400)
        try Golden.expect(response.text, equals: "error.json")
    }

    @Test func bodyForDeadInstanceMatchesGoldenFile() throws {
        let story = try Story()
        let response = story.bench.get("/api/v1/instances/6")
        #expect(response.status == 404)
        try Golden.expect(response.text, equals: "instance-died.json")
    }

    @Test func bodyForNewMarkMatchesGoldenFile() throws {
        let story = try Story()
        let response = story.bench.post("/api/v1/marks", #"{"name":"after"}"#)
        #expect(response.status == 201)
        try Golden.expect(response.text, equals: "mark.json")
    }

    @Test func acknowledgedLeaksMatchGoldenFile() throws {
        let story = try Story()
        let body = #"{"fingerprint":"8d3f0c5b1a7e9264","reason":"the old hub goes with version 3"}"#
        #expect(story.bench.post("/api/v1/acknowledged-leaks", body).status == 201)
        try Golden.expect(story.bench.get("/api/v1/acknowledged-leaks").text, equals: "acknowledged-leaks.json")
    }

    @Test func openMetricsMatchGoldenFile() throws {
        let story = try Story()
        let response = story.bench.get("/metrics", headers: [("Accept", "application/openmetrics-text;version=1.0.0")])
        try Golden.expect(response.text, equals: "openmetrics.txt")
    }

    @Test func eventsMatchGoldenFile() throws {
        let story = try Story()
        let listener = try Listener(story.bench.get("/api/v1/events"))
        try Golden.expect(listener.takeAll(), equals: "events.txt")
    }

    @Test func historyWithStepMatchesGoldenFile() throws {
        let story = try Story()
        let response = story.bench.get("/api/v1/history?step=5&since=60")
        try Golden.expect(response.text, equals: "history-step.json")
    }
}
