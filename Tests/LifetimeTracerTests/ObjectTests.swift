import LifetimeTracer
import Testing

@Suite struct ObjectTests {
    private class Animal: TracedObject {}
    private final class Dog: Animal {
        let name: String
        init(name: String) {
            self.name = name
            super.init()
        }
    }
    private final class Cat: Animal {
        let name: String
        // No call of `super.init`: the compiler inserts it.
        init(name: String) { self.name = name }
    }

    @Test func birthsAndDeathsAreCountedByType() throws {
        let bench = Bench()
        var dogs: [Dog] = bench.make { [Dog(name: "a"), Dog(name: "b")] }
        bench.make { _ = Plain() }
        dogs.removeFirst()
        let snapshot = bench.registry.snapshot()
        let dog = try #require(snapshot.types.first { $0.type.name == "ObjectTests.Dog" })
        #expect(dog.live == 1 && dog.peak == 2 && dog.born == 2 && dog.died == 1)
        #expect(dog.type.module == "LifetimeTracerTests")
        let plain = try #require(snapshot.types.first { $0.type.name == "Plain" })
        #expect(plain.live == 0 && plain.peak == 1 && plain.born == 1 && plain.died == 1)
        #expect(snapshot.live == 1 && snapshot.born == 3 && snapshot.died == 2 && snapshot.peak == 3)
        withExtendedLifetime(dogs) {}
    }

    @Test func theCreationSiteIsRecorded() {
        let bench = Bench()
        let line = #line + 1
        let plain = bench.make { Plain() }
        let dog = bench.make { Dog(name: "a") }
        let cat = bench.make { Cat(name: "b") }
        let sites = bench.registry.snapshot().instances.map(\.site)
        #expect(sites[0]?.description == "LifetimeTracerTests/ObjectTests.swift:\(line)")
        #expect(sites[1]?.file.description == "LifetimeTracerTests/ObjectTests.swift")
        #expect(sites[2] == nil)
        withExtendedLifetime((plain, dog, cat)) {}
    }

    @Test func idsRiseAndAreNeverReused() {
        let bench = Bench()
        var ids: [InstanceID] = []
        for _ in 0..<100 { ids.append(bench.make { Plain().lifetimeID }) }
        #expect(ids == (1...100).map { InstanceID(rawValue: $0) })
    }

    @Test func labelsAndOwnersAreOptional() throws {
        let bench = Bench()
        var owner: Plain? = bench.make { Plain() }
        let owned = bench.make { Plain(label: "owned", owner: owner) }
        var record = try #require(bench.registry.snapshot().instances.last)
        #expect(record.label == "owned")
        #expect(record.owner?.id == owner?.lifetimeID && record.owner?.isLive == true)
        #expect(record.owner?.type?.name == "Plain")
        owner = nil
        record = try #require(bench.registry.snapshot().instances.last)
        #expect(record.owner?.isLive == false)
        #expect(bench.registry.snapshot().types[0].orphanOwner == 1)
        owned.setLifetimeLabel(nil)
        owned.setLifetimeOwner(nil)
        record = try #require(bench.registry.snapshot().instances.last)
        #expect(record.label == nil && record.owner == nil)
    }

    @Test func shallowBytesAreTheSizeOfTheObject() throws {
        final class Small: TracedObject {
            var numbers = (0, 0)
        }
        final class Large: TracedObject {
            var numbers = (0, 0, 0, 0, 0, 0)
        }
        let bench = Bench()
        bench.make {
            _ = Small()
            _ = Large()
        }
        let types = bench.registry.snapshot().types
        #expect(try #require(types[1].shallowBytes) == #require(types[0].shallowBytes) + 32)
    }

    @Test func registriesCountOnlyTheirOwnInstances() async {
        let benches = (0..<8).map { _ in Bench() }
        await withTaskGroup(of: Void.self) { group in
            for (number, bench) in benches.enumerated() {
                group.addTask {
                    await bench.registry.withCurrent {
                        for _ in 0...number {
                            _ = Plain()
                            await Task.yield()
                        }
                    }
                }
            }
        }
        #expect(benches.map { $0.registry.summary().born } == Array(1...8))
    }

    @Test func deathOutsideTheScopeIsCountedInTheObjectsRegistry() async {
        let bench = Bench()
        let box = Box(bench.make { Plain() })
        // Released outside the scope, on another thread.
        await Task.detached { box.object = nil }.value
        #expect(bench.registry.summary().died == 1)
    }

    @Test func childTasksInheritTheRegistry() async {
        let bench = Bench()
        await bench.registry.withCurrent {
            async let first = Plain().lifetimeID
            async let second = Plain().lifetimeID
            _ = await (first, second)
        }
        #expect(bench.registry.summary().born == 2)
        #expect(LifetimeRegistry.current === LifetimeRegistry.shared)
    }

    @Test(.timeLimit(.minutes(20))) func unusedRegistryIsDeallocated() async {
        weak var registry: LifetimeRegistry?
        do {
            let bench = Bench()
            bench.make { _ = Plain() }
            bench.pass(.seconds(1))
            registry = bench.registry
            #expect(registry != nil)
        }
        // The registry's thread may hold the registry until the end of its last round.
        while registry != nil { await Task.yield() }
    }
}

/// Carries an object to another thread.
///
/// `@unchecked Sendable` is safe because the sender does not use the object meanwhile.
private final class Box: @unchecked Sendable {
    var object: Plain?

    init(_ object: Plain) { self.object = object }
}
