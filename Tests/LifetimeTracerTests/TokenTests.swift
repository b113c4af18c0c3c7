import LifetimeTracer
import Testing

@Suite struct TokenTests {
    @Test func registrationAndRemovalAreCounted() throws {
        let bench = Bench()
        let owner = bench.make { Plain() }
        let removals = Locked(0)
        let line = #line + 1
        var token: ObserverToken? = ObserverToken(.notification, event: "shown", owner: owner) {
            removals.withLock { $0 += 1 }
        }
        token?.recordDelivery()
        token?.recordDelivery()
        let record = try #require(bench.registry.snapshot().tokens.first)
        #expect(record.kind == .notification && record.event == "shown" && record.deliveries == 2)
        #expect(record.owner?.id == owner.lifetimeID && record.owner?.isLive == true && !record.isOrphaned)
        #expect(record.site?.line == line)
        token = nil
        #expect(removals.withLock { $0 } == 1)
        let group = try #require(bench.registry.snapshot().tokenGroups.first)
        #expect(group.inForce == 0 && group.registered == 1 && group.removed == 1 && group.deliveries == 2)
    }

    @Test func removingTwiceRemovesOnce() {
        let bench = Bench()
        let removals = Locked(0)
        let token = bench.make {
            ObserverToken(.timer, event: "tick") { removals.withLock { $0 += 1 } }
        }
        #expect(token.isInForce)
        token.remove()
        token.remove()
        #expect(!token.isInForce && removals.withLock { $0 } == 1)
        #expect(bench.registry.summary().tokens.removed == 1)
    }

    @Test func aTokenThatOutlivesItsOwnerIsOrphanedAfterTheGrace() {
        let bench = Bench()
        var owner: Plain? = bench.make { Plain() }
        let token = owner.map { ObserverToken(.notification, event: "shown", owner: $0) {} }
        owner = nil
        bench.pass(.milliseconds(249))
        #expect(bench.registry.summary().tokens.orphaned == 0)
        bench.pass(.milliseconds(1))
        #expect(bench.registry.summary().tokens.orphaned == 1)
        #expect(bench.registry.snapshot().tokens[0].isOrphaned)
        #expect(
            bench.messages == [
                "orphanedToken: notification token for shown still in force though its Plain has gone"
            ])
        bench.pass(.seconds(10))
        #expect(bench.messages.count == 1)
        token?.remove()
        #expect(bench.registry.summary().tokens.orphaned == 0)
    }

    @Test func tokenRemovedWithItsOwnerIsNotOrphaned() {
        final class Holder: TracedObject {
            var token: ObserverToken?
        }
        let bench = Bench()
        for _ in 0..<10 {
            bench.make {
                let holder = Holder()
                holder.token = ObserverToken(.notification, event: "shown", owner: holder) {}
            }
        }
        bench.pass(.seconds(1))
        #expect(bench.messages.isEmpty)
        #expect(bench.registry.summary().tokens.removed == 10)
    }

    @Test func keptTokenOutlivesItsLastReference() {
        let bench = Bench()
        let ended = Locked(0)
        weak var seen: ObserverToken?
        do {
            let token = bench.make { ObserverToken(.timer, event: "once") { ended.withLock { $0 += 1 } } }
            token.keep()
            token.keep()
            seen = token
        }
        #expect(seen?.isInForce == true && ended.withLock { $0 } == 0)
        // A one-shot registration removes its own token.
        seen?.remove()
        #expect(seen == nil && ended.withLock { $0 } == 1)
        #expect(bench.registry.summary().tokens.inForce == 0)
    }

    @Test func removedTokenIsNotKept() {
        let bench = Bench()
        weak var seen: ObserverToken?
        do {
            let token = bench.make { ObserverToken(.timer, event: "once") {} }
            token.remove()
            token.keep()
            seen = token
        }
        #expect(seen == nil)
    }

    @Test func tokenKeptForAnObjectEndsWithIt() {
        let bench = Bench()
        let ended = Locked(0)
        var object: Plain? = bench.make { Plain() }
        let register = { bench.make { ObserverToken(.hub, event: "x") { ended.withLock { $0 += 1 } } } }
        object.map { register().keep(for: $0) }
        // The last call decides how long a token is kept.
        object.map { object in
            let token = register()
            token.keep()
            token.keep(for: object)
            token.keep(for: object)
        }
        #expect(bench.registry.summary().tokens.inForce == 2)
        object = nil
        #expect(bench.registry.summary().tokens.inForce == 0 && ended.withLock { $0 } == 2)
    }

    @Test func deadOwnerIsRefusedAndNamed() throws {
        let bench = Bench()
        let dead = bench.make { Plain().lifetimeID }
        let error = #expect(throws: TracerError.self) { try TokenOwner.instance(withID: dead, in: bench.registry) }
        #expect(error?.code == .instanceDied)
        #expect(error?.message.contains("Instance 1 (LifetimeTracerTests.Plain) cannot own an observer token") == true)
        let live = bench.make { Plain() }
        let owner = try TokenOwner.instance(withID: live.lifetimeID, in: bench.registry)
        let token = ObserverToken(.hub, event: "x", owner: owner) {}
        #expect(bench.registry.snapshot().tokens[0].ownerType?.name == "Plain")
        token.remove()
    }

    @Test func tokenOfOwnerThatDiedBeforeRegistrationIsOrphaned() throws {
        let bench = Bench()
        var live: Plain? = bench.make { Plain() }
        let owner = try TokenOwner.instance(withID: #require(live).lifetimeID, in: bench.registry)
        live = nil
        let token = ObserverToken(.hub, event: "x", owner: owner) {}
        bench.pass(.seconds(1))
        #expect(bench.registry.summary().tokens.orphaned == 1)
        token.remove()
    }

    @Test func aTypeCanBeTheOwner() {
        let bench = Bench()
        let token = bench.make { ObserverToken(.subscription, event: "values", ownerType: Int.self) {} }
        #expect(bench.registry.snapshot().tokens[0].ownerType?.qualified == "Swift.Int")
        bench.pass(.seconds(10))
        #expect(bench.messages.isEmpty)
        token.remove()
    }

    @Test func crowdedTokensAreReportedOnceUntilTheCountFalls() throws {
        let bench = Bench()
        try bench.registry.setTokenThreshold(2, event: "changed", ownerType: Plain.self)
        let owner = bench.make { Plain() }
        func register() -> ObserverToken { ObserverToken(.hub, event: "changed", owner: owner) {} }
        var tokens = (0..<4).map { _ in register() }
        bench.registry.check()
        #expect(bench.messages == ["crowded: 3 tokens for changed in force for Plain"])
        #expect(bench.registry.summary().tokens.crowded == 1)
        tokens.removeLast(2)
        #expect(bench.registry.summary().tokens.crowded == 0)
        tokens.append(register())
        bench.registry.check()
        #expect(bench.messages.count == 2)
        #expect(throws: TracerError.self) { try bench.registry.setTokenThreshold(-1, event: "changed") }
    }

    @Test func newThresholdAppliesToTokensAlreadyInForce() throws {
        let bench = Bench()
        let tokens = bench.make {
            [TokenKind.hub, .timer, .hub].map { ObserverToken($0, event: "changed", ownerType: Plain.self) {} }
        }
        try bench.registry.setTokenThreshold(2, event: "changed")
        bench.registry.check()
        #expect(bench.messages == ["crowded: 3 tokens for changed in force for Plain"])
        #expect(bench.registry.snapshot().tokenGroups.allSatisfy { $0.isCrowded })
        try bench.registry.setTokenThreshold(nil, event: "changed")
        #expect(bench.registry.summary().tokens.crowded == 0)
        withExtendedLifetime(tokens) {}
    }

    @Test func secondOrphanedTokenDoesNotRepeatTheFirstVerdict() throws {
        let bench = Bench()
        var owner: Plain? = bench.make { Plain() }
        let stored = try TokenOwner.instance(withID: #require(owner).lifetimeID, in: bench.registry)
        let first = ObserverToken(.hub, event: "x", owner: stored) {}
        owner = nil
        bench.pass(.seconds(1))
        let second = ObserverToken(.hub, event: "x", owner: stored) {}
        #expect(bench.registry.summary().tokens.orphaned == 1)
        bench.pass(.seconds(1))
        #expect(bench.registry.summary().tokens.orphaned == 2 && bench.messages.count == 2)
        withExtendedLifetime((first, second)) {}
    }

    @Test func ownerOfAnotherRegistryIsNotMistakenForALocalInstance() {
        let (one, other) = (Bench(), Bench())
        let owner = one.make { Screen() }
        other.make { _ = Plain() }
        #expect(owner.lifetimeID.rawValue == 1)
        let token = ObserverToken(.hub, event: "x", owner: owner, registry: other.registry) {}
        other.pass(.seconds(1))
        #expect(other.messages.isEmpty)
        #expect(other.registry.snapshot().tokens[0].ownerType?.name == "Screen")
        #expect(other.registry.snapshot().tokens[0].owner == nil)
        let owned = other.make { Plain(owner: owner) }
        #expect(other.registry.snapshot().instances.last?.owner == nil)
        withExtendedLifetime((owner, token, owned)) {}
    }

    @Test func tokensPastTheLimitAreCountedAndNotListed() {
        let bench = Bench { $0.tokenLimit = 2 }
        let tokens = bench.make { (0..<5).map { _ in ObserverToken(.hub, event: "x") {} } }
        for token in tokens { token.recordDelivery() }
        #expect(bench.registry.snapshot().tokens.count == 2)
        var summary = bench.registry.summary()
        #expect(summary.tokens.inForce == 5 && summary.tokens.deliveries == 5)
        #expect(summary.drops.first { $0.buffer == "tokens" }?.dropped == 3)
        for token in tokens { token.remove() }
        summary = bench.registry.summary()
        #expect(summary.tokens.inForce == 0 && summary.tokens.removed == 5)
    }

    @Test func eventsPastTheLimitShareACount() {
        let bench = Bench()
        bench.make {
            for number in 0..<5000 { _ = ObserverToken(.hub, event: "event \(number)") {} }
        }
        let summary = bench.registry.summary()
        #expect(summary.tokens.registered == 5000 && summary.tokens.removed == 5000)
        #expect(summary.drops.first { $0.buffer == "tokenGroups" }?.dropped == 904)
        let kept = bench.make { ObserverToken(.hub, event: "the last", ownerType: Plain.self) {} }
        let record = bench.registry.snapshot().tokens.first
        #expect(record?.event == "the last" && record?.ownerType?.name == "Plain")
        kept.remove()
    }
}
