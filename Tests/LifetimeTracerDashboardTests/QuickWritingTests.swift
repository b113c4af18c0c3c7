import LifetimeTracer
import Testing
import TracerBase

@testable import LifetimeTracerDashboard

/// Wire types that write themselves without their fields, which are their schema.
@Suite struct QuickWritingTests {
    private func byFields<Object: JSONObject>(_ object: Object) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            for field in Object.fields { field.write(object, &writer) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func itself(_ object: some JSONObject) -> String { String(decoding: object.jsonBytes, as: UTF8.self) }

    @Test func instancesWriteTheirFields() throws {
        let bench = Bench()
        let owner = bench.registry.withCurrent { Session() }
        let objects = bench.registry.withCurrent { [Session(label: "\"a\"\n", owner: owner), Session()] }
        bench.pass(.milliseconds(1234))
        let snapshot = bench.registry.snapshot()
        let clock = WireClock(bench.registry, now: snapshot.takenAt)
        for (place, record) in snapshot.instances.enumerated() {
            let wire = WireInstance(record, verdicts: place == 1 ? [.overdue, .orphanOwner] : [], clock)
            #expect(itself(wire) == byFields(wire))
        }
        withExtendedLifetime((owner, objects)) {}
    }

    @Test func overdueInstancesWriteTheirFields() throws {
        let bench = Bench()
        var objects = bench.registry.withCurrent { [Session(label: "a"), Session(), Session()] }
        for object in objects {
            try bench.registry.expectDeallocation(of: object, within: .seconds(1.5), because: "\"test\"")
        }
        bench.pass(.seconds(2))
        objects.removeLast()
        let snapshot = bench.registry.snapshot()
        let clock = WireClock(bench.registry, now: snapshot.takenAt)
        let members = OverdueGroups(snapshot).groups.flatMap(\.members)
        #expect(members.count == 3)
        var stacks = NamedStacks()
        for member in members {
            let wire = WireOverdueInstance(member, tokensInForce: 2, &stacks, clock)
            #expect(itself(wire) == byFields(wire))
        }
        withExtendedLifetime(objects) {}
    }

    @Test(arguments: [false, true]) func healthWritesItsFields(_ isBusy: Bool) throws {
        let bench = Bench()
        bench.pass(.seconds(100))
        let now = bench.registry.clock.now()
        let earlier = now + .seconds(-20)
        let delivery = VerdictDelivery(
            waiting: 3, oldestWaiting: earlier, observerSince: earlier, lastAt: earlier, dropped: 2)
        let activity =
            isBusy
            ? TracerActivity(
                at: now, roundSince: earlier, lastRoundAt: earlier, due: earlier, delivery: delivery)
            : TracerActivity(at: now, lastRoundAt: earlier, due: earlier)
        let selfTest = SelfTest.run()
        let wire = WireHealth(
            TracerHealth(activity, selfTest), bench.registry.ruleStatus(), WireClock(bench.registry, now: now),
            selfTest: WireHealth.text(of: selfTest))
        #expect(itself(wire) == byFields(wire))
    }

    @Test func sitesWriteTheirFields() {
        for site in [SourceSite(file: "Demo/\"A\".swift", line: 12), SourceSite(file: "x", line: 1)] {
            #expect(itself(WireSite(site)) == byFields(WireSite(site)))
        }
    }

    @Test func dropsWriteTheirFields() {
        let drops = WireDrops(buffer: "deaths", limit: 1024, dropped: 3)
        #expect(itself(drops) == byFields(drops))
    }
}
