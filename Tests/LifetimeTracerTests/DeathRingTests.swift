import CLifetimeRuntime
import Testing

@testable import LifetimeTracer

/// The last deaths of a registry.
@Suite struct DeathRingTests {
    private static func entry(_ id: UInt64) -> lt_death_entry {
        lt_death_entry(id: id, type: id &* 3, born_at: id &* 5, died_at: id &* 7)
    }

    private static func isWhole(_ entry: lt_death_entry) -> Bool {
        entry.type == entry.id &* 3 && entry.born_at == entry.id &* 5 && entry.died_at == entry.id &* 7
    }

    private static func deaths(of core: RegistryCore, room: Int) -> (entries: [lt_death_entry], forgotten: UInt64) {
        var forgotten: UInt64 = 0
        let entries = [lt_death_entry](unsafeUninitializedCapacity: room) { buffer, count in
            count = lt_copy_deaths(core.pointer, buffer.baseAddress, room, &forgotten)
        }
        return (entries, forgotten)
    }

    /// Runs the test with a registry that remembers some deaths.
    private static func withCore(limit: Int, _ test: (RegistryCore) throws -> Void) throws {
        let core = try #require(RegistryCore.scoped())
        defer { core.free() }
        lt_make_death_ring(core.pointer, limit)
        _ = lt_adopt_stripe()
        try test(core)
    }

    @Test func ringKeepsTheLastDeathsAndCountsTheForgotten() throws {
        try Self.withCore(limit: 3) { core in
            for id in 1...8 as ClosedRange<UInt64> {
                lt_remember_death(core.pointer, Self.entry(id))
                let (entries, forgotten) = Self.deaths(of: core, room: 3)
                #expect(entries.map(\.id) == Array((id < 3 ? 1 : id - 2)...id))
                #expect(forgotten == (id < 3 ? 0 : id - 3) && lt_death_count(core.pointer) == entries.count)
            }
            // With less room, the newest are copied.
            let (entries, forgotten) = Self.deaths(of: core, room: 2)
            #expect(entries.map(\.id) == [7, 8] && forgotten == 6)
            var found = lt_death_entry()
            #expect(lt_find_death(core.pointer, 6, &found) && Self.isWhole(found))
            #expect(!lt_find_death(core.pointer, 5, &found))
        }
    }

    /// Objects of a registry with the system clock are recorded without Swift code.
    @Test func deathInAScopeIsRememberedWithItsTypeAndTime() throws {
        let registry = LifetimeRegistry()
        let (first, second) = registry.withCurrent { (Plain().lifetimeID, Plain().lifetimeID) }
        let now = registry.clock.now()
        let deaths = registry.rememberedDeaths().records
        #expect(deaths.map(\.instance) == [first, second])
        let step = Duration.milliseconds(1)
        for death in deaths {
            #expect(death.type.name == "Plain" && registry.rememberedDeath(of: death.instance)?.diedAt != nil)
            #expect(registry.startedAt <= death.bornAt + step && death.bornAt <= death.diedAt)
            #expect(death.diedAt <= now + step)
        }
    }

    @Test func ringTooLargeForMemoryForgetsAllDeaths() throws {
        try Self.withCore(limit: .max) { core in
            _ = lt_give_id(core.pointer)
            lt_remember_death(core.pointer, Self.entry(1))
            let (entries, forgotten) = Self.deaths(of: core, room: 1)
            var found = lt_death_entry()
            #expect(entries.isEmpty && forgotten == 1 && lt_death_count(core.pointer) == 0)
            #expect(!lt_find_death(core.pointer, 1, &found))
        }
    }

    @Test func readerGetsWholeEntriesWhileFourThreadsWrite() throws {
        let limit = 16
        let rounds: UInt64 = 50_000
        let writers: UInt64 = 4
        try Self.withCore(limit: limit) { core in
            let ended = Locked<UInt64>(0)
            let threads = (0..<writers).map { writer in
                OSThread {
                    _ = lt_adopt_stripe()
                    for round in 0..<rounds { lt_remember_death(core.pointer, Self.entry(round * writers + writer)) }
                    ended.withLock { $0 += 1 }
                }
            }
            var torn = 0
            while ended.withLock({ $0 }) < writers {
                let entries = Self.deaths(of: core, room: limit).entries
                torn += entries.count { !Self.isWhole($0) }
                var found = lt_death_entry()
                let isFound = entries.last.map { lt_find_death(core.pointer, $0.id, &found) } ?? false
                if isFound, !Self.isWhole(found) { torn += 1 }
            }
            for thread in threads { thread.join() }
            #expect(torn == 0)
            let (entries, forgotten) = Self.deaths(of: core, room: limit)
            #expect(entries.count == limit && forgotten == rounds * writers - UInt64(limit))
            // The entries of each thread are in its order.
            for writer in 0..<writers {
                let ids = entries.map(\.id).filter { $0 % writers == writer }
                #expect(ids == ids.sorted())
            }
        }
    }
}
