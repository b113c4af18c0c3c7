import CLifetimeRuntime
import ForkTesting
import Testing

@testable import LifetimeTracer

@Suite struct CreationStackTests {
    // Functions whose names the tests look for. They are not inlined, and each does different work after the call, so
    // that each keeps its frame and an optimised build does not merge them.
    @inline(never) private func makeInKitchen() -> Plain {
        defer { Self.keepFrame(1) }
        return makeAtTable()
    }

    @inline(never) private func makeInGarden() -> Plain {
        defer { Self.keepFrame(2) }
        return makeAtTable()
    }

    @inline(never) private func makeAtTable() -> Plain {
        defer { Self.keepFrame(3) }
        return Plain()
    }

    private static let frames = Locked(0)

    @inline(never) private static func keepFrame(_ number: Int) {
        frames.withLock { $0 += number }
    }

    @Test func eachInstanceRecordsItsCreationStack() throws {
        let bench = Bench()
        let before = bench.make { makeInKitchen() }
        bench.registry.recordsCreationStacks = true
        #expect(bench.registry.recordsCreationStacks)
        let made = bench.make { [makeInKitchen(), makeInGarden(), makeInGarden()] }
        bench.registry.recordsCreationStacks = false
        let after = bench.make { makeInKitchen() }
        let stacks = bench.registry.snapshot().instances.map(\.creationStack)
        #expect(stacks[0] == nil && stacks[4] == nil)
        let kitchen = try #require(stacks[1]?.functions)
        let garden = try #require(stacks[2]?.functions)
        #expect(kitchen.contains { $0.contains("makeInKitchen") } && !kitchen.contains { $0.contains("makeInGarden") })
        #expect(garden.contains { $0.contains("makeInGarden") } && !garden.contains { $0.contains("makeInKitchen") })
        #expect(stacks[1]?.addresses.count ?? 0 <= 16)
        #expect(stacks[2] != nil && stacks[3] != nil)
        withExtendedLifetime((before, made, after)) {}
    }

    @Test func stacksPastTheLimitAreLeftOutAndCounted() throws {
        var limits = InstanceStore.Limits()
        limits.creationStacks = 1
        let store = InstanceStore(clock: ManualClock(), limits: limits)
        lt_set_stacks(store.core.pointer, true)
        let site = SiteKey(file: "a", line: 1)
        let first = store.recordBirth(of: Plain.self, at: site)
        let second = store.recordBirth(of: Plain.self, at: site)
        let cut = store.cut()
        #expect(cut.counters.live == 2 && cut.counters.unlisted == 0)
        try #require(cut.records.count == 2)
        let stacks = (0..<2).map { cut.contexts[cut.records[$0].context].stack }
        #expect(!stacks[0].isEmpty && stacks[1].isEmpty)
        #expect(cut.counters.droppedStacks == 1 && cut.counters.born == 2)
        store.recordDeath(first)
        store.recordDeath(second)
    }

    @Test func sharedRegistryRecordsCreationStacks() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry.shared
            registry.recordsCreationStacks = true
            let plain = CreationStackTests().makeInGarden()
            guard let functions = registry.snapshot().instances.first?.creationStack?.functions else {
                fatalError("no stack")
            }
            demand(!functions.contains { $0.hasPrefix("lt_") || $0.contains("InstanceHandle") }, "\(functions)")
            demand(functions.contains { $0.contains("makeInGarden") }, "\(functions)")
            withExtendedLifetime(plain) {}
        }
    }

    @Test func birthsAtOneSiteShareOneCreationStack() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry.shared
            registry.recordsCreationStacks = true
            // Enough births to meet every slow path: a new context, counters, room, records, ids.
            var kept: [Plain] = []
            for _ in 0..<3000 { kept.append(CreationStackTests().makeInGarden()) }
            let stacks = Set(registry.snapshot().instances.map(\.creationStack))
            demand(stacks.count == 1 && !stacks.contains(nil), "\(stacks.count) stacks")
            withExtendedLifetime(kept) {}
        }
    }

    @Test func stackWalkStaysWithinEachThreadsStack() {
        let registry = LifetimeRegistry()
        registry.recordsCreationStacks = true
        let threads = (0..<8).map { depth in
            OSThread { registry.withCurrent { Self.descend(depth * 3) } }
        }
        for thread in threads { thread.join() }
        #expect(registry.summary().born == 8 && registry.summary().live == 0)
    }

    @inline(never) private static func descend(_ levels: Int) {
        guard levels > 0 else {
            withExtendedLifetime(Plain()) {}
            return
        }
        descend(levels - 1)
        keepFrame(levels)
    }
}
