import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Server-sent events.
@Suite struct EventTests {
    private func leak(_ bench: Bench, _ count: Int) throws -> [Session] {
        let sessions = bench.registry.withCurrent { (0..<count).map { Session(label: "\($0)") } }
        for session in sessions {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
        }
        return sessions
    }

    private func data(_ frame: Listener.Frame) throws -> JSON {
        try JSON(JSONSerialization.jsonObject(with: Data((frame.data ?? "").utf8)))
    }

    private func listen(_ bench: Bench, lastEventID: String? = nil) throws -> Listener {
        try Listener(bench.get("/api/v1/events", headers: lastEventID.map { [("Last-Event-ID", $0)] } ?? []))
    }

    @Test func responseHasTheHeadersOfAnEventStream() {
        let response = Bench().get("/api/v1/events")
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "text/event-stream")
        #expect(response.headers["Cache-Control"] == "no-store")
    }

    @Test func streamBeginsWithCommentHelloAndTick() throws {
        let bench = Bench(routes: ProgramRoutes.all)
        let listener = try listen(bench)
        let frames = listener.takeFrames()
        #expect(frames.map(\.event) == [nil, "hello", "tick"])
        #expect(frames[0].comment != nil)
        let hello = try data(frames[1])
        #expect(hello["process"]["pid"].int == 4711)
        #expect(hello["programRoutes"].array.compactMap(\.string) == ["/caches", "/caches/{name}/empty"])
        #expect(try data(frames[2])["summary"]["instances"]["live"].int == 0)
        #expect(listener.takeAll().isEmpty)
        #expect(listener.wakes == 0)
    }

    @Test func tickIsSentEverySecond() throws {
        let bench = Bench()
        let listener = try listen(bench)
        _ = listener.takeAll()
        let sessions = bench.registry.withCurrent { [Session(), Session()] }
        bench.pass(.seconds(1))
        #expect(listener.wakes == 1)
        let frames = listener.takeFrames()
        #expect(frames.map(\.event) == ["tick"])
        #expect(frames[0].id == nil)
        let tick = try data(frames[0])
        #expect(tick["summary"]["instances"]["live"].int == 2)
        #expect(tick["top"][0]["type"].string == "LifetimeTracerDashboardTests.Session")
        #expect(tick["top"][0]["live"].int == 2)
        bench.pass(.milliseconds(500))
        #expect(listener.takeAll().isEmpty)
        withExtendedLifetime(sessions) {}
    }

    @Test func slowReaderGetsTheLatestTick() throws {
        let bench = Bench()
        let listener = try listen(bench)
        _ = listener.takeAll()
        for _ in 0..<5 { bench.pass(.seconds(1)) }
        let frames = listener.takeFrames()
        #expect(frames.count == 1)
        #expect(try data(frames[0])["summary"]["time"].string == "2023-11-14T22:13:25.000Z")
    }

    @Test func ticksAreRenderedOnceAndOnlyForReaders() throws {
        let bench = Bench()
        let context = DashboardContext(registry: bench.registry, process: .fixed, selfTest: .fixed(passed: true))
        let feed = EventFeed(context)
        bench.pass(.seconds(1))
        #expect(feed.tick.number == 0)
        let streams = (0..<3).map { _ in EventStream(feed, lastEventID: nil, programRoutes: []) }
        for stream in streams { stream.start {} }
        #expect(feed.streamCount == 3)
        bench.pass(.seconds(1))
        #expect(feed.tick.number == 1)
        for stream in streams { stream.closed(.disconnected) }
        #expect(feed.streamCount == 0)
        bench.pass(.seconds(1))
        #expect(feed.tick.number == 1)
    }

    @Test func verdictArrivesAtOnce() throws {
        let bench = Bench()
        let listener = try listen(bench)
        _ = listener.takeAll()
        let sessions = try leak(bench, 1)
        // The sample of this second was sent before, so the next event can only be the verdict.
        bench.pass(.seconds(1))
        _ = listener.takeAll()
        let wakes = listener.wakes
        let late = bench.registry.withCurrent { Session() }
        try bench.registry.expectDeallocation(of: late, within: .milliseconds(100), because: "at once")
        bench.pass(.milliseconds(101))
        #expect(listener.wakes == wakes + 1)
        let frames = listener.takeFrames()
        #expect(frames.map(\.event) == ["verdict"])
        #expect(frames[0].id == "2")
        #expect(try data(frames[0])["reason"].string == "at once")
        withExtendedLifetime((sessions, late)) {}
    }

    @Test(
        arguments: [
            (nil, 11...60), ("58", 59...60), ("0", 1...60), ("59", 60...60), ("garbage", 11...60), ("", 11...60),
            ("-1", 11...60), ("+3", 11...60), ("1e1", 11...60), ("99999999999999999999999", 11...60),
            // An id from an earlier process.
            ("61", 11...60),
        ] as [(String?, ClosedRange<Int>)])
    func streamResumesAfterTheLastEventID(_ lastEventID: String?, _ expected: ClosedRange<Int>) throws {
        let bench = Bench()
        let sessions = try leak(bench, 60)
        bench.pass(.seconds(2))
        let frames = try listen(bench, lastEventID: lastEventID).takeFrames()
        #expect(frames.compactMap(\.id) == expected.map(String.init))
        #expect(frames.first?.comment != nil)
        #expect(frames.dropFirst().first?.event == "hello")
        #expect(frames.last?.event == "tick")
        withExtendedLifetime(sessions) {}
    }

    @Test func resumedStreamRepeatsNoVerdict() throws {
        let bench = Bench()
        let sessions = try leak(bench, 3)
        bench.pass(.seconds(2))
        #expect(try listen(bench, lastEventID: "3").takeFrames().compactMap(\.event) == ["hello", "tick"])
        withExtendedLifetime(sessions) {}
    }

    @Test func manyVerdictsArriveInOrder() throws {
        let bench = Bench()
        let listener = try listen(bench)
        _ = listener.takeAll()
        let sessions = try leak(bench, 350)
        bench.pass(.seconds(2))
        let verdicts = listener.takeFrames().compactMap(\.id)
        #expect(verdicts == (1...350).map(String.init))
        withExtendedLifetime(sessions) {}
    }

    @Test func eventFeedIsFreedAndRemovesItsObservers() throws {
        let registry = LifetimeRegistry(clock: ManualClock())
        weak var feed: EventFeed?
        do {
            let context = DashboardContext(registry: registry, process: .fixed, selfTest: .fixed(passed: true))
            let strong = EventFeed(context)
            feed = strong
            let stream = EventStream(strong, lastEventID: nil, programRoutes: [])
            stream.start {}
            registry.check()
            stream.closed(.serverStopped)
        }
        #expect(feed == nil)
        #expect(registry.sampleObserverCount == 0)
        #expect(registry.verdictObserverCount == 0)
    }

    @Test func registryIsFreedWithItsDashboard() {
        weak var registry: LifetimeRegistry?
        do {
            let bench = Bench()
            registry = bench.registry
            _ = bench.get("/api/v1/events")
            // The event streams, the trends of types, the history of the process and the number of its fork children.
            #expect(bench.registry.sampleObserverCount == 4)
            #expect(bench.registry.verdictObserverCount == 1)
        }
        #expect(registry == nil)
    }
}
