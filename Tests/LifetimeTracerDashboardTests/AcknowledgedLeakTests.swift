import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// Leaks that are acknowledged as known while the process runs.
@Suite struct AcknowledgedLeakTests {
    private static let path = "/api/v1/acknowledged-leaks"

    private func acknowledge(_ bench: Bench, _ fingerprint: String, _ reason: String = "gone soon") -> HTTPResponse {
        bench.post(Self.path, "{\"fingerprint\":\"\(fingerprint)\",\"reason\":\"\(reason)\"}")
    }

    @Test func acknowledgedLeakIsKnownAndStillCounted() throws {
        let story = try Story()
        let before = try story.bench.json("/api/v1/overdue")
        let fingerprint = try #require(before["groups"][0]["fingerprint"].string)
        #expect(acknowledge(story.bench, fingerprint).status == 201)
        let after = try story.bench.json("/api/v1/overdue")
        #expect(after["overdue"].int == before["overdue"].int && after["known"].int == 2)
        let group = try #require(after["groups"].array.first { $0["fingerprint"].string == fingerprint })
        #expect(group["known"]["reason"].string == "gone soon" && group["known"]["acknowledged"].bool == true)
        #expect(group["known"]["count"].int == 2 && group["known"]["subject"].string == fingerprint)
        #expect(group["instances"].array.allSatisfy { $0["known"].bool == true })

        #expect(story.bench.send("DELETE", "\(Self.path)/\(fingerprint)").status == 204)
        #expect(try story.bench.json("/api/v1/overdue")["known"].int == 0)
        #expect(story.bench.send("DELETE", "\(Self.path)/\(fingerprint)").errorCode == "notAcknowledged")
        #expect(story.bench.send("DELETE", "\(Self.path)/x").errorCode == "notAcknowledged")
    }

    @Test func fingerprintOfRetainPathAcknowledgesOneLeak() async throws {
        let story = try Story(explainer: .madeUp)
        _ = try await story.bench.answer("/api/v1/instances/3/retain-path")
        _ = try await story.bench.answer("/api/v1/instances/2/retain-path")
        let groups = try story.bench.json("/api/v1/overdue")["groups"].array.filter { ($0["overdue"].int ?? 0) > 0 }
        #expect(groups.count == 2)
        let path = try #require(groups[1]["retainPath"]["fingerprint"].string)
        #expect(acknowledge(story.bench, path).status == 201)
        let after = try story.bench.json("/api/v1/overdue")["groups"].array.filter { ($0["overdue"].int ?? 0) > 0 }
        #expect(after.map { $0["known"].isNull } == [true, false], "known leaks come last")
        #expect(after[1]["retainPath"]["fingerprint"].string == path)

        // The leak stays known after the search's result expires.
        story.bench.pass(.seconds(301))
        let later = try story.bench.json("/api/v1/overdue")["groups"].array.filter { ($0["overdue"].int ?? 0) > 0 }
        #expect(later.allSatisfy { $0["retainPath"].isNull })
        let known = later.flatMap { $0["instances"].array }.filter { $0["known"].bool == true }
        let acknowledged = after[1]["instances"].array.compactMap { $0["id"].int }
        #expect(Set(known.compactMap { $0["id"].int }).isSuperset(of: acknowledged) && !acknowledged.isEmpty)
    }

    @Test func acknowledgedLeaksAreListedOncePerFingerprint() throws {
        let bench = Bench()
        #expect(acknowledge(bench, "000000000000000a", "first").status == 201)
        #expect(acknowledge(bench, "000000000000000b").status == 201)
        #expect(acknowledge(bench, "000000000000000a", "second").status == 201)
        let list = try bench.json(Self.path)
        #expect(list["total"].int == 2)
        #expect(list["acknowledgedLeaks"].array.map { $0["reason"].string } == ["gone soon", "second"])
    }

    @Test(arguments: [
        ("", "malformedBody"), (#"{"fingerprint":"000000000000000a"}"#, "malformedBody"),
        (#"{"fingerprint":"000000000000000a","reason":1}"#, "malformedBody"),
        (#"{"fingerprint":"000000000000000a","reason":"a","reason":"b"}"#, "malformedBody"),
        (#"{"fingerprint":"000000000000000a","reason":"a","more":"b"}"#, "malformedBody"),
        (#"{"fingerprint":"xyz","reason":"a"}"#, "invalidParameter"),
        (#"{"fingerprint":"000000000000000A","reason":"a"}"#, "invalidParameter"),
        (#"{"fingerprint":"000000000000000a","reason":""}"#, "invalidParameter"),
        (#"{"fingerprint":"000000000000000a","reason":"  "}"#, "invalidParameter"),
    ])
    func malformedAcknowledgementIsRefused(_ body: String, _ code: String) throws {
        let bench = Bench()
        let response = bench.post(Self.path, body)
        #expect(response.status == 400 && response.errorCode == code, "\(response.text)")
        #expect(try bench.json(Self.path)["total"].int == 0)
    }

    @Test func acknowledgedLeaksAreBounded() {
        let leaks = AcknowledgedLeaks()
        func leak(_ number: Int) -> AcknowledgedLeaks.Leak {
            AcknowledgedLeaks.Leak(
                fingerprint: Fingerprint(parts: ["\(number)"]), reason: "r", at: MonotonicTime(nanoseconds: 0),
                instances: [])
        }
        for number in 0..<AcknowledgedLeaks.limit { #expect(leaks.add(leak(number))) }
        #expect(!leaks.add(leak(AcknowledgedLeaks.limit)))
        #expect(leaks.add(leak(7)), "one that is there already takes no more room")
        #expect(leaks.all.count == AcknowledgedLeaks.limit)
    }
}
