import LifetimeTracer
import Testing

/// The verdict *growing* on types, tokens and the process of a real registry with a manual clock.
@Suite struct RegistryGrowthTests {
    private let bench = Bench()

    /// Creates instances each minute.
    private func leak<Object: AnyObject>(
        _ perMinute: Int, minutes: Int, _ make: () -> Object
    ) -> [Object] {
        (0..<minutes).flatMap { _ in
            let objects = bench.make { (0..<perMinute).map { _ in make() } }
            bench.pass(.seconds(60))
            return objects
        }
    }

    @Test func aFastLeakIsSaidWithSeparators() throws {
        bench.registry.startHistory()
        let objects = leak(1151, minutes: 14) { Plain() }
        #expect(bench.registry.growth().first?.reason.hasSuffix("are still alive; 1,151 a minute more") == true)
        withExtendedLifetime(objects) {}
    }

    @Test func aLeakingTypeIsSaidInWords() throws {
        bench.registry.startHistory()
        let objects = leak(40, minutes: 14) { Plain() }
        let growth = try #require(bench.registry.growth().first)
        #expect(bench.registry.growth().count == 1)
        #expect(growth.reason == "instances from 14 of the last 14 minutes are still alive; 40 a minute more")
        #expect(growth.message == "Plain grows: \(growth.reason)")
        #expect(growth.live == 560 && growth.perMinute == 40)
        #expect(growth.evidenceSince == growth.since + .seconds(-60 * 9))
        #expect(bench.registry.summary().growing == 1)
        let verdicts = bench.registry.verdicts()
        #expect(verdicts.map(\.kind) == [.growing])
        #expect(verdicts[0].reason == "instances from 9 of the last 9 minutes are still alive; 40 a minute more")
        #expect(verdicts[0].fingerprint == growth.fingerprint, "the fingerprint does not depend on the numbers")
        withExtendedLifetime(objects) {}
    }

    @Test func growthNamesTheSiteOfMostInstances() throws {
        bench.registry.startHistory()
        // Thirty instances of each minute come from one site, and ten from another.
        let objects = (0..<14).flatMap { _ in
            bench.make { (0..<10).map { _ in Plain(file: "App/Rare.swift", line: 9) } }
                + leak(30, minutes: 1) { Plain(file: "App/Common.swift", line: 7) }
        }
        let site = SourceSite(file: "App/Common.swift", line: 7)
        #expect(bench.registry.growth().first?.site == site)
        #expect(bench.registry.verdicts().map(\.site) == [site])
        withExtendedLifetime(objects) {}
    }

    @Test func growthIsWithdrawnAndTheVerdictIsNotRepeated() {
        bench.registry.startHistory()
        var objects = leak(40, minutes: 12) { Plain() }
        #expect(bench.registry.growth().count == 1)
        for _ in 0..<20 { bench.pass(.seconds(60)) }
        #expect(bench.registry.growth().isEmpty && bench.registry.summary().growing == 0)
        objects.removeAll()
        for _ in 0..<20 { bench.pass(.seconds(60)) }
        #expect(bench.registry.verdicts().count == 1)
    }

    @Test func growingTokensAreSaidByEventAndOwnerType() throws {
        bench.registry.startHistory()
        let owner = bench.make { Plain() }
        let tokens = leak(30, minutes: 10) {
            ObserverToken(.hub, event: "changed", owner: owner, registry: bench.registry) {}
        }
        let growth = try #require(bench.registry.growth().first)
        #expect(growth.subject == .tokens(event: "changed", ownerType: bench.registry.name(of: Plain.self)))
        #expect(
            growth.message
                == "tokens for changed of Plain grow: tokens from 10 of the last 10 minutes are still in force; "
                + "30 a minute more")
        let verdict = try #require(bench.registry.verdicts().first)
        #expect(verdict.event == "changed" && verdict.kind == .growing)
        withExtendedLifetime((owner, tokens)) {}
    }

    @Test func theProcessIsSaidOnlyIfNothingElseIs() {
        bench.registry.startHistory()
        let objects = leak(40, minutes: 14) { Plain() }
        #expect(bench.registry.growth().allSatisfy { $0.subject != .process })
        withExtendedLifetime(objects) {}
    }

    @Test func observersLearnOfGrowth() {
        let received = Locked<[String]>([])
        let observation = bench.registry.observeVerdicts(
            .closure { verdict in received.withLock { $0.append(verdict.message) } })
        let objects = leak(40, minutes: 10) { Plain() }
        #expect(
            received.withLock { $0 } == [
                "Plain grows: instances from 9 of the last 9 minutes are still alive; 40 a minute more"
            ])
        withExtendedLifetime((objects, observation)) {}
    }

    @Test func growthIsNotJudgedUnlessSomeoneAsks() {
        let objects = leak(40, minutes: 14) { Plain() }
        #expect(bench.registry.growth().isEmpty && bench.registry.verdicts().isEmpty)
        withExtendedLifetime(objects) {}
    }

    @Test func missedMinutesAreNotEvidence() {
        bench.registry.startHistory()
        var objects = leak(40, minutes: 5) { Plain() }
        bench.clock.advance(by: .seconds(600))
        bench.registry.check()
        objects += leak(40, minutes: 7) { Plain() }
        #expect(bench.registry.growth().isEmpty)
        objects += leak(40, minutes: 5) { Plain() }
        #expect(bench.registry.growth().count == 1)
        withExtendedLifetime(objects) {}
    }
}
