import Dispatch
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The health of the tracer.
@Suite struct HealthTests {
    private let bench = Bench()

    private func health(_ bench: Bench? = nil) throws -> (status: Int, json: JSON) {
        let response = (bench ?? self.bench).get("/healthz")
        return (response.status, try JSON(response))
    }

    @Test func failedSelfTestIsReported() throws {
        let (status, json) = try health(Bench(selfTestPasses: false))
        #expect(status == 503)
        #expect(json["status"].string == "failing")
        #expect(
            json["reasons"].array.map(\.string) == [
                "The self-test at startup failed its check: a leak becomes overdue."
            ])
    }

    @Test func healthIsOkAfterVerdictsAreDelivered() throws {
        bench.registry.observeVerdicts(.closure { _ in }).keep()
        let session = bench.registry.withCurrent { Session() }
        try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "closed")
        bench.pass(.seconds(2))
        bench.clock.advance(by: .seconds(3))
        let (status, json) = try health()
        #expect(status == 200)
        #expect(json["status"].string == "ok")
        #expect(json["reasons"].array.isEmpty)
        #expect(json["thread"]["state"].string == "asleep")
        #expect(json["thread"]["lastRoundAgeSeconds"].double == 3)
        #expect(json["delivery"]["waiting"].int == 0)
        #expect(json["delivery"]["lastAgeSeconds"].double == 3)
        withExtendedLifetime(session) {}
    }

    /// The observer blocks until the test releases it.
    ///
    /// A health request must be answered meanwhile.
    @Test func hangingVerdictObserverIsReported() throws {
        let (isCalled, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        bench.registry.observeVerdicts(
            .closure { _ in
                isCalled.signal()
                mayReturn.wait()
            }
        ).keep()
        let sessions = bench.registry.withCurrent { (0..<3).map { _ in Session() } }
        for session in sessions {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "closed")
        }
        bench.clock.advance(by: .seconds(1))
        let checking = BackgroundWork { [registry = bench.registry] in registry.check() }
        isCalled.wait()
        #expect(try health().json["status"].string == "ok", "not at once: an observer may take some time")
        bench.clock.advance(by: .milliseconds(12_300))
        let (status, json) = try health()
        #expect(status == 503)
        #expect(json["status"].string == "degraded")
        let reason = try #require(json["reasons"][0].string)
        #expect(reason.hasPrefix("A verdict observer has not returned for 12.3 s. 2 verdicts wait for the observer."))
        #expect(json["reasons"].array.count == 1)
        #expect(json["thread"]["state"].string == "working")
        #expect(json["thread"]["workingSeconds"].double == 12.3)
        #expect(json["delivery"]["waiting"].int == 3)
        #expect(json["delivery"]["observerSeconds"].double == 12.3)
        #expect(json["selfTest"]["passed"].bool == true)

        for _ in sessions { mayReturn.signal() }
        checking.join()
        let (after, recovered) = try health()
        #expect(after == 200)
        #expect(recovered["status"].string == "ok")
        #expect(recovered["delivery"]["waiting"].int == 0)
        withExtendedLifetime(sessions) {}
    }

    @Test func rulesAreStatedWithThePatternsThatMatchNothing() throws {
        #expect(try health().json["rules"].isNull)
        var rules = (1...30).compactMap { TypePattern("Absent\($0)") }.map(RegistryRules.TypeRule.init)
        rules.insert(RegistryRules.TypeRule(try #require(TypePattern("*.Session"))), at: 0)
        bench.registry.setRules(RegistryRules(types: rules), file: "rules.json")
        let session = bench.registry.withCurrent { Session() }
        bench.registry.check()
        let stated = try health().json["rules"]
        #expect(stated["file"].string == "rules.json")
        #expect(stated["types"].int == 1 && stated["leftOutTypes"].int == 0)
        #expect(stated["unmatchedPatterns"].int == 30)
        #expect(stated["unmatched"].array.map(\.string) == (1...20).map { "Absent\($0)" })
        withExtendedLifetime(session) {}
    }

    // MARK: The judgement by itself

    private func judged(_ activity: TracerActivity) -> TracerHealth {
        TracerHealth(activity, .fixed(passed: true))
    }

    private func at(_ seconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test func aThreadThatHasNeverBeenNeededIsFine() {
        #expect(judged(TracerActivity(at: at(1000))).status == .ok)
    }

    @Test func missedRoundOfTheThreadIsReported() {
        #expect(judged(TracerActivity(at: at(100), lastRoundAt: at(88), due: at(90))).status == .ok)
        let late = judged(TracerActivity(at: at(101), lastRoundAt: at(88), due: at(90)))
        #expect(late.status == .degraded)
        #expect(late.reasons == ["The tracer's thread is not running: a round of work was due 11 s ago."])
        #expect(judged(TracerActivity(at: at(101), lastRoundAt: at(88), due: at(200))).status == .ok)
    }

    @Test func endlessRoundOfTheThreadIsReported() {
        let stuck = judged(TracerActivity(at: at(101), roundSince: at(90), lastRoundAt: at(88), due: at(89)))
        #expect(stuck.reasons == ["The tracer's thread has been in one round of work for 11 s."])
    }

    /// The observer handles each verdict in time, but the verdicts arrive faster.
    @Test func slowVerdictObserverIsReported() {
        let delivery = VerdictDelivery(waiting: 61, oldestWaiting: at(80), observerSince: at(100), lastAt: at(100))
        let slow = judged(TracerActivity(at: at(101), roundSince: at(81), delivery: delivery))
        #expect(slow.status == .degraded)
        #expect(
            slow.reasons == [
                "61 verdicts wait for delivery, the oldest for 21 s: a verdict observer is slow."
            ])
    }
}
