import ForkTesting
import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The shared registry, whose births and deaths take the fast path.
///
/// Each test runs in its own process.
@Suite struct SharedRegistryTests {
    @Test func snapshotsAreConsistentWhileThreadsStartAndEnd() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let storm = SharedStorm()
            storm.start(workers: 3)
            // A sanitizer makes each round slower, and reports an error of any round in which the threads meet.
            for round in 0..<(Sanitizer.isPresent ? 2000 : 10_000) {
                let snapshot = LifetimeRegistry.shared.snapshot()
                let problem = Disagreement.of(snapshot)
                demand(problem == nil, "snapshot \(round): \(problem ?? "")")
                guard round % 100 == 0, let newest = snapshot.instances.last?.id else { continue }
                let later = SharedStorm.Leaf()
                demand(later.lifetimeID > newest, "\(later.lifetimeID) after a snapshot with \(newest)")
                let peak = LifetimeRegistry.shared.summary().peak
                demand(peak >= snapshot.live, "a peak of \(peak) with \(snapshot.live) live")
            }
            storm.stop()
            let end = LifetimeRegistry.shared.snapshot()
            demand(end.live == 0 && end.born == end.died, "\(end.born) births, \(end.died) deaths, \(end.live) live")
            demand(end.born > 10_000, "only \(end.born) births")
            demand(end.types.allSatisfy { $0.peak < 2000 }, "peaks: \(end.types.map(\.peak))")
        }
    }

    @Test func snapshotOfManyInstancesListsEachOnceInTheOrderOfIDs() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let registry = LifetimeRegistry.shared
            // So many that their records get memory of their own.
            var objects = (0..<300_000).map { _ in SharedStorm.Leaf() }
            // Later instances use the records of these, so the records are not in the order of ids.
            for position in stride(from: 0, to: objects.count, by: 4) { objects[position] = SharedStorm.Leaf() }
            let storm = SharedStorm()
            storm.start(workers: 2)
            for _ in 0..<2 {
                let snapshot = registry.snapshot()
                let problem = Disagreement.of(snapshot)
                demand(problem == nil, problem ?? "")
                let ids = snapshot.instances.map(\.id)
                demand(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }, "the ids do not rise")
            }
            storm.stop()
            let ids = objects.map(\.lifetimeID).sorted()
            demand(registry.snapshot().instances.map(\.id) == ids, "other instances are listed than those that live")
        }
    }

    @Test func idsRiseAcrossThreads() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let turn = Locked(0)
            let lastID = Locked(InstanceID(rawValue: 0))
            let workers = (0..<3).map { worker in
                OSThread {
                    for _ in 0..<2_000 {
                        while turn.withLock({ $0 % 3 != worker }) { sched_yield() }
                        for _ in 0...worker {
                            let leaf = SharedStorm.Leaf()
                            lastID.withLock { last in
                                demand(leaf.lifetimeID > last, "\(leaf.lifetimeID) after \(last)")
                                last = leaf.lifetimeID
                            }
                        }
                        turn.withLock { $0 += 1 }
                    }
                }
            }
            for worker in workers { worker.join() }
        }
    }

    @Test func instanceBornAfterAMarkHasAHigherID() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let storm = SharedStorm()
            storm.start(workers: 4)
            for number in 0..<60 {
                let before = SharedStorm.Leaf()
                guard let mark = try? LifetimeRegistry.shared.setMark("m\(number)") else { fatalError("no mark") }
                let after = SharedStorm.Leaf()
                demand(before.lifetimeID <= mark.lastID && mark.lastID < after.lifetimeID)
                try? LifetimeRegistry.shared.removeMark("m\(number)")
            }
            storm.stop()
        }
    }

    @Test func reusedRecordIsNotMistakenForTheDeadInstance() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let registry = LifetimeRegistry.shared
            var first: SharedStorm.Leaf? = SharedStorm.Leaf()
            guard let id = first?.lifetimeID else { fatalError("no object") }
            let deaths = Locked(0)
            _ = registry.onDeath(of: id) { deaths.withLock { $0 += 1 } }
            first = nil
            demand(deaths.withLock { $0 } == 1)
            // The record is free and the next births use it. Neither the id nor its hint may lead to the new instances.
            let others = (0..<100).map { _ in SharedStorm.Leaf() }
            demand(!others.map(\.lifetimeID).contains(id))
            demand(registry.onDeath(of: id) { fatalError("another one's death") } == nil)
            demand(registry.rememberedDeath(of: id)?.type.name == "SharedStorm.Leaf")
            withExtendedLifetime(others) {}
        }
    }

    @Test func deathOfInstanceListedInASnapshotIsRemembered() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let registry = LifetimeRegistry.shared
            var objects: [SharedStorm.Leaf] = [SharedStorm.Leaf(), SharedStorm.Leaf()]
            let listed = registry.snapshot().instances.map(\.id)
            objects.append(SharedStorm.Leaf())
            let unseen = InstanceID(rawValue: listed[1].rawValue + 1)
            objects.removeAll()
            demand(listed.allSatisfy { registry.rememberedDeath(of: $0) != nil })
            demand(registry.rememberedDeath(of: unseen) == nil, "nobody was told of it")
        }
    }

    @Test func deathOfInstanceWhoseIDWasReadIsRemembered() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            var leaf: SharedStorm.Leaf? = SharedStorm.Leaf()
            guard let id = leaf?.lifetimeID else { fatalError("no object") }
            leaf = nil
            demand(LifetimeRegistry.shared.rememberedDeath(of: id) != nil)
        }
    }

    @Test func peaksAreExactOnOneThread() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let registry = LifetimeRegistry.shared
            var objects: [SharedStorm.Leaf] = []
            for wanted in [1, 2, 10, 1000, 999, 5000, 3, 7001] {
                while objects.count > wanted { objects.removeLast() }
                while objects.count < wanted { objects.append(SharedStorm.Leaf()) }
                demand(registry.summary().live == wanted)
                demand(registry.summary().peak == max(wanted, Int(Self.peak.withLock { $0 })))
                Self.peak.withLock { $0 = max($0, wanted) }
            }
            demand(registry.snapshot().types.first?.peak == 7001)
        }
    }

    private static let peak = Locked(0)

    @Test func peakOfManyThreadsIsNeverTooLowAndAtMostSlightlyHigh() async {
        await #expect(processExitsWith: .success) {
            Traps.tell()
            let threads = 6
            let perThread = 3000
            let meeting = Locked(Meeting())
            let workers = (0..<threads).map { _ in
                OSThread {
                    for _ in 0..<20 { _ = (0..<500).map { _ in SharedStorm.Leaf() } }
                    let objects = (0..<perThread).map { _ in SharedStorm.Leaf() }
                    meeting.withLock { $0.arrived += 1 }
                    while meeting.withLock({ !$0.mayGo }) { usleep(100) }
                    withExtendedLifetime(objects) {}
                }
            }
            while meeting.withLock({ $0.arrived < threads }) { usleep(100) }
            let live = LifetimeRegistry.shared.summary().live
            demand(live == threads * perThread)
            let peak = LifetimeRegistry.shared.summary().peak
            demand(peak >= live && Double(peak) <= Double(live) * (1 + 1.0 / 32), "\(peak) of \(live)")
            meeting.withLock { $0.mayGo = true }
            for worker in workers { worker.join() }
        }
    }

    private struct Meeting: LockedState {
        var arrived = 0
        var mayGo = false
    }
}
