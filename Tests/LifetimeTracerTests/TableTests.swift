import Testing

@testable import LifetimeTracer

@Suite struct TypeNameTests {
    @Test(arguments: [
        ("Demo.Screen", "Demo", "Screen"),
        ("Demo.Outer.Screen", "Demo", "Outer.Screen"),
        ("Demo.(unknown context at $55f7e80fe370).Screen", "Demo", "Screen"),
        ("a.(unknown context at $1).(unknown context at $2).Local", "a", "Local"),
        ("Demo.Box<Swift.Int>", "Demo", "Box<Swift.Int>"),
        ("(extension in Demo):Swift.Int", "", "(extension in Demo):Swift.Int"),
        ("(Swift.Int, Swift.Int)", "", "(Swift.Int, Swift.Int)"),
        ("", "", ""),
    ])
    func typeNameSplitsOffModuleAndDropsAddresses(text: String, module: String, name: String) {
        #expect(TypeName(reflected: text) == TypeName(module: module, name: name))
    }

    @Test func typesWithTheSameNameAreNumbered() {
        let bench = Bench()
        func one() -> TracedObject {
            final class Local: TracedObject {}
            return Local()
        }
        func other() -> TracedObject {
            final class Local: TracedObject {}
            return Local()
        }
        let objects = bench.make { [one(), other(), one()] }
        let types = bench.registry.snapshot().types
        #expect(types[1].type.name == types[0].type.name + " (2)")
        #expect(!types[0].type.name.contains("$") && types.map(\.live) == [2, 1])
        withExtendedLifetime(objects) {}
    }
}

@Suite struct InstanceStoreTests {
    private let site = SiteKey(file: "a", line: 1)

    @Test func instancesPastTheLimitAreCountedButNotListed() {
        let bench = Bench { $0.instanceLimit = 3 }
        var objects = bench.make { (0..<5).map { _ in Plain() } }
        var snapshot = bench.registry.snapshot()
        #expect(snapshot.live == 5 && snapshot.instances.count == 3 && snapshot.unlisted == 2)
        let last = objects[4].lifetimeID
        let error = #expect(throws: TracerError.self) {
            try bench.registry.expectDeallocation(ofInstance: last, within: .zero, because: "x")
        }
        #expect(error?.code == .instanceNotListed)
        let token = ObserverToken(.hub, event: "x", owner: objects[4]) {}
        bench.pass(.seconds(1))
        #expect(bench.registry.summary().tokens.orphaned == 0)
        objects.removeAll()
        snapshot = bench.registry.snapshot()
        #expect(snapshot.live == 0 && snapshot.unlisted == 0 && snapshot.died == 5)
        #expect(bench.registry.summary().drops.first { $0.buffer == "instances" }?.dropped == 2)
        token.remove()
    }

    @Test func unlistedOwnerIsReportedAsLive() throws {
        let bench = Bench { $0.instanceLimit = 2 }
        let objects = bench.make { [Plain(), Plain()] }
        let owner = bench.make { Plain() }
        let token = ObserverToken(.hub, event: "x", owner: owner) {}
        let record = try #require(bench.registry.snapshot().tokens.first?.owner)
        #expect(record.id == owner.lifetimeID && record.isLive)
        withExtendedLifetime((objects, owner, token)) {}
    }

    @Test func tokenReportsTheNumberedNameOfItsOwnerType() {
        func one() -> TracedObject {
            final class Local: TracedObject {}
            return Local()
        }
        func other() -> TracedObject {
            final class Local: TracedObject {}
            return Local()
        }
        let bench = Bench()
        let owners = bench.make { [one(), other()] }
        let tokens = owners.map { ObserverToken(.hub, event: "x", owner: $0) {} }
        let types = bench.registry.snapshot().types.map(\.type)
        #expect(bench.registry.snapshot().tokens.map(\.ownerType) == types)
        withExtendedLifetime((owners, tokens)) {}
    }

    @Test func typesPastTheLimitShareAnEntry() {
        final class A {}
        final class B {}
        final class C {}
        var limits = InstanceStore.Limits()
        limits.types = 1
        let store = InstanceStore(clock: ManualClock(), limits: limits)
        let handles = ([A.self, B.self, C.self] as [Any.Type]).map { store.recordBirth(of: $0, at: site) }
        defer { for handle in handles { store.recordDeath(handle) } }
        let counters = store.counters()
        #expect(counters.types.map(\.live) == [1, 2])
        #expect(counters.types[1].name.name == "(other types)" && counters.droppedTypes == 2)
    }

    @Test func onlyTheLastDeathsAreRemembered() throws {
        let bench = Bench { $0.rememberedDeathLimit = 2 }
        bench.clock.advance(by: .seconds(1))
        bench.make { for _ in 0..<3 { _ = Plain() } }
        #expect(bench.registry.rememberedDeath(of: InstanceID(rawValue: 1)) == nil)
        let death = try #require(bench.registry.rememberedDeath(of: InstanceID(rawValue: 3)))
        #expect(death.type.name == "Plain" && death.diedAt.nanoseconds == 1_000_000_000)
    }

    @Test func secondDeathOfOneInstanceTraps() async {
        await #expect(processExitsWith: .failure) {
            let store = InstanceStore(clock: ManualClock())
            let handle = store.recordBirth(of: Plain.self, at: SiteKey(file: "a", line: 1))
            store.recordDeath(handle)
            store.recordDeath(handle)
        }
    }
}

@Suite struct RingTests {
    @Test func ringKeepsTheLastElementsAndCountsTheDropped() {
        var ring = Ring<Int>(limit: 3)
        for number in 0..<8 {
            ring.append(number)
            #expect(ring.elements == Array(max(0, number - 2)...number))
        }
        #expect(ring.dropped == 5 && ring.count == 3)
        #expect(ring.last { $0 % 2 == 1 } == 7 && ring.last { $0 < 5 } == nil)
    }
}

@Suite struct MonotonicTimeTests {
    @Test func arithmeticStaysInRange() {
        let start = MonotonicTime(nanoseconds: 5)
        #expect(start + .seconds(-1) == MonotonicTime(nanoseconds: 0))
        #expect(MonotonicTime(nanoseconds: .max) + .seconds(1) == MonotonicTime(nanoseconds: .max))
        #expect(start - MonotonicTime(nanoseconds: 8) == .nanoseconds(-3))
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }

    @Test(arguments: [
        (Duration.milliseconds(80), "80 ms"), (.seconds(2), "2 s"), (.milliseconds(1500), "1.5 s"),
        (.milliseconds(999.6), "1 s"), (.zero, "0 ms"),
    ])
    func durationsAreFormattedInWords(duration: Duration, words: String) {
        #expect(duration.inWords == words)
    }

    @Test func registryWallTimeAgreesWithTheSystemClock() {
        let registry = LifetimeRegistry()
        let drift =
            SystemClock().wallNow().nanosecondsSince1970
            - registry.wallTime(at: registry.clock.now()).nanosecondsSince1970
        #expect(abs(drift) < 1_000_000_000)
    }
}
