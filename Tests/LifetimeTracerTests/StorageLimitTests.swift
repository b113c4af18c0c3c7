import CLifetimeRuntime
import ForkTesting
import Testing

@testable import LifetimeTracer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The storage at its limits, which the tests lower.
@Suite struct StorageLimitTests {
    private let site = SiteKey(file: "a", line: 1)

    @Test func instancesPastTheSiteLimitAreCountedButNotListed() {
        var limits = InstanceStore.Limits()
        limits.contexts = 2
        let store = InstanceStore(clock: ManualClock(), limits: limits)
        let handles = (1...4).map { store.recordBirth(of: Plain.self, at: SiteKey(file: "a", line: $0)) }
        let cut = store.cut()
        #expect(cut.records.count == 2 && cut.counters.live == 4 && cut.counters.unlisted == 2)
        #expect(cut.counters.droppedContexts == 2 && cut.counters.types.map(\.live) == [4])
        #expect(cut.counters.types[0].peak == 4 && cut.counters.peak == 4)
        for handle in handles { store.recordDeath(handle) }
        let end = store.counters()
        #expect(end.live == 0 && end.unlisted == 0 && end.died == 4 && end.types[0].live == 0)
    }

    @Test func summaryListsBuffersOfCreationSitesAndStacks() {
        let bench = Bench { $0.instanceLimit = 1 }
        let objects = bench.make { [Plain(), Plain()] }
        let buffers = bench.registry.summary().drops.map(\.buffer)
        #expect(buffers.contains("creationSites") && buffers.contains("creationStacks"))
        withExtendedLifetime(objects) {}
    }

    @Test func deathsMakeRoomForListedInstances() {
        let bench = Bench { $0.instanceLimit = 2 }
        var listed = bench.make { [Plain(), Plain()] }
        let unlisted = bench.make { Plain() }
        #expect(bench.registry.snapshot().instances.count == 2 && bench.registry.summary().live == 3)
        listed.removeAll()
        let next = bench.make { [Plain(), Plain()] }
        let snapshot = bench.registry.snapshot()
        #expect(snapshot.instances.map(\.id) == next.map(\.lifetimeID) && snapshot.unlisted == 1)
        #expect(snapshot.peak >= 3 && snapshot.live == 3)
        withExtendedLifetime((unlisted, next)) {}
    }

    @Test func instanceLimitOfZeroListsNoInstances() {
        let bench = Bench { $0.instanceLimit = 0 }
        let objects = bench.make { [Plain(), Plain()] }
        let snapshot = bench.registry.snapshot()
        #expect(snapshot.instances.isEmpty && snapshot.live == 2 && snapshot.unlisted == 2)
        #expect(objects[0].lifetimeID < objects[1].lifetimeID)
        withExtendedLifetime(objects) {}
    }

    @Test(
        arguments: [
            // The last id, the bits in the handle, the expected id.
            (5, 5, 5), (5, 3, 3), (1 << 44, 0, 1 << 44), (1 << 44 + 5, 7, 7), (3 << 44 + 5, 4, 3 << 44 + 4),
            (3 << 44 + 5, 6, 2 << 44 + 6),
        ] as [(UInt64, UInt64, UInt64)])
    func idIsRestoredFromItsLowBits(last: UInt64, bits: UInt64, id: UInt64) {
        #expect(last.lastValue(withLowBits: bits) == id)
    }

    @Test func agesStayCorrectWhenTheRecordedTimeOverflows() {
        let hour = MonotonicTime(nanoseconds: 3_600_000_000_000)
        let mask: UInt64 = 1 << 44 - 1
        // 10 steps of a millisecond after the birth: before, at and after the overflow of the time in the record.
        for now in [100, mask, mask + 1, mask + 5, mask + 10, 7 * (mask + 1) + 3] {
            let times = Timebase.Translation(now: now, at: hour, nanosecondsPerStep: 1_000_000, latest: hour)
            #expect(hour - times.time((now &- 10) & mask) == .milliseconds(10), "now \(now)")
        }
        // No time is before the clock's start, and a time slightly in the future is the present.
        let times = Timebase.Translation(now: 100, at: hour, nanosecondsPerStep: 1e15, latest: hour)
        #expect(times.time(50).nanoseconds == 0)
        #expect(times.time(101) == hour)
    }

    @Test func returnedIndicesAreReused() {
        var pool = IndexPool(3..<5)
        #expect(pool.take() == 3 && pool.take() == 4 && pool.take() == nil)
        pool.giveBack([4])
        #expect(pool.take() == 4 && pool.take() == nil)
    }

    @Test func deallocatedRegistriesReturnTheirTypeIndices() {
        // Without reuse, these registries would need more type indices than there are: each takes three.
        for round in 0..<2_000 {
            let registry = LifetimeRegistry(clock: ManualClock())
            let object = registry.withCurrent { Plain() }
            #expect(registry.summary().live == 1, "round \(round)")
            withExtendedLifetime(object) {}
        }
        let before = Self.nextTypeIndex()
        for _ in 0..<600 {
            let registry = LifetimeRegistry(clock: ManualClock())
            registry.withCurrent { withExtendedLifetime(Plain()) {} }
        }
        // Without reuse, these registries take 1,800 indices. Tests that run in parallel take some, too.
        #expect(Self.nextTypeIndex() < before + 1_200)
    }

    private static func nextTypeIndex() -> UInt32 {
        guard let index = TypeTable.takeSlot() else { return .max }
        TypeTable.giveBackSlots([index])
        return index
    }
}

/// The storage's use of memory.
///
/// The tests run in their own processes, because all registries of a process share the records.
@Suite struct StorageMemoryTests {
    @Test func recordsFreedOnAnotherThreadAreReused() async {
        await #expect(processExitsWith: .success) {
            let waiting = Locked<[SharedStorm.Leaf]>([])
            let isOver = Locked(false)
            let destroyer = OSThread {
                while true {
                    // Read before taking the objects: objects that were created before the end are then still waiting.
                    let wasOver = isOver.withLock { $0 }
                    let taken = waiting.withLock { waiting in
                        defer { waiting = [] }
                        return waiting
                    }
                    if taken.isEmpty, wasOver { return }
                }
            }
            var made = 0
            while made < 5_000_000 {
                // About 10,000 objects may wait here. The destroyer may hold as many again.
                guard waiting.withLock({ $0.count < 10_000 }) else { continue }
                let batch = (0..<1000).map { _ in SharedStorm.Leaf() }
                waiting.withLock { $0 += batch }
                made += batch.count
            }
            isOver.withLock { $0 = true }
            destroyer.join()
            let counters = LifetimeRegistry.shared.summary()
            demand(counters.live == 0 && counters.born == 5_000_000)
            // The peak of live instances, two batches per thread, and a chunk: less than 3 MB, although 80 MB passed
            // through.
            let bytes = RecordArena.shared.withLock { $0.bytes }
            let bound = Int(counters.peak) * 16 + 3 * 2 * 8192 * 16 + 2 * 262_144
            demand(bytes <= bound, "\(bytes) bytes, peak \(counters.peak)")
            demand(counters.peak <= 60_000, "peak \(counters.peak)")
        }
    }

    /// A claim gives back the ready births of a stripe, whose thread then does not notice that it has a full batch.
    @Test func fullBatchThatItsThreadHasNotNoticedIsReused() async {
        await #expect(processExitsWith: .success) {
            let waiting = Locked<[SharedStorm.Leaf]>([])
            let freed = Locked(0)
            let (rounds, size) = (150, 400)
            let destroyer = OSThread {
                while freed.withLock({ $0 }) < rounds {
                    let taken = waiting.withLock { waiting in
                        defer { waiting = [] }
                        return waiting
                    }
                    if taken.isEmpty { sched_yield() }
                    let isRound = !taken.isEmpty
                    withExtendedLifetime(consume taken) {}
                    if isRound { freed.withLock { $0 += 1 } }
                }
            }
            for round in 1...rounds {
                // Made in the lock, so that only the destroyer holds the objects afterwards.
                waiting.withLock { $0 = (0..<size).map { _ in SharedStorm.Leaf() } }
                while freed.withLock({ $0 }) < round { sched_yield() }
                lt_claim_all()
                lt_release_all()
            }
            destroyer.join()
            // Without reuse, 60,000 records take four chunks.
            let bytes = RecordArena.shared.withLock { $0.bytes }
            demand(bytes <= 2 * Int(LT_CHUNK_BYTES), "\(bytes) bytes")
        }
    }

    @Test func systemClockReplacesTheCycleCounterForBirthTimes() async {
        await #expect(processExitsWith: .success) {
            lt_set_tick_source(LT_TICKS_SYSTEM_CLOCK)
            demand(lt_current_tick_source() == LT_TICKS_SYSTEM_CLOCK)
            let before = SystemClock().now()
            let leaf = SharedStorm.Leaf()
            let after = SystemClock().now()
            let snapshot = LifetimeRegistry.shared.snapshot()
            guard let born = snapshot.instances.first?.bornAt else { fatalError("nothing is listed") }
            // A step is 2^15 ns.
            demand(born + .microseconds(40) >= before && after + .microseconds(40) >= born, "\(before) \(born)")
            let storm = SharedStorm()
            storm.start(workers: 3)
            for _ in 0..<200 {
                if let problem = Disagreement.of(LifetimeRegistry.shared.snapshot()) { fatalError(problem) }
            }
            storm.stop()
            withExtendedLifetime(leaf) {}
        }
    }

    @Test func birthTimesAgreeWithTheClock() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<20 {
                let before = SystemClock().now()
                let leaf = SharedStorm.Leaf()
                let after = SystemClock().now()
                guard let born = LifetimeRegistry.shared.snapshot().instances.last?.bornAt else { fatalError("none") }
                // A step is 2^15 cycles: 33 µs at 1 GHz.
                demand(born + .microseconds(50) >= before && after + .microseconds(50) >= born)
                withExtendedLifetime(leaf) {}
            }
        }
    }
}

/// The first births of a process, in many registries at once, which initialize everything that is created at first use.
@Suite struct FirstBirthTests {
    @Test(arguments: 0..<20) func concurrentFirstBirthsAreCountedInEachRegistry(_: Int) async {
        await #expect(processExitsWith: .success) {
            let mayGo = Locked(false)
            let threads = (0..<8).map { _ in
                OSThread {
                    let registry = LifetimeRegistry(clock: ManualClock())
                    while !mayGo.withLock({ $0 }) {}
                    let objects = registry.withCurrent { [Plain(), Plain(), Plain()] }
                    let snapshot = registry.snapshot()
                    demand(snapshot.instances.count == 3 && Disagreement.of(snapshot) == nil)
                    withExtendedLifetime(objects) {}
                }
            }
            mayGo.withLock { $0 = true }
            for thread in threads { thread.join() }
        }
    }
}
