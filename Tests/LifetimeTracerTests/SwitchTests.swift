import ForkTesting
import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Switching tracing off and on.
///
/// The switch applies to the process, so each test runs in its own process.
@Suite struct SwitchTests {
    @Test func objectsCreatedWhileTracingIsOffAreNotCounted() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry.shared
            var early: [Plain] = [Plain(), Plain()]
            LifetimeRegistry.isTracing = false
            demand(!LifetimeRegistry.isTracing)
            var objects: [Plain] = (0..<5).map { _ in Plain(label: "unseen") }
            demand(registry.summary().live == 2 && registry.snapshot().instances.count == 2)
            early.removeLast()
            demand(registry.summary().live == 1, "what was counted is counted to its end")
            LifetimeRegistry.isTracing = true
            objects.removeAll()
            demand(registry.summary().live == 1 && registry.summary().died == 1)
            let late = Plain()
            demand(registry.summary().live == 2)
            withExtendedLifetime((early, late)) {}
        }
    }

    @Test func switchReachesAllThreads() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry.shared
            // Even: the other thread creates and releases an object, and adds one.
            let turn = Locked(-1)
            let early = OSThread {
                for round in 0..<3 {
                    while turn.withLock({ $0 != 2 * round }) { sched_yield() }
                    withExtendedLifetime(Plain()) {}
                    turn.withLock { $0 += 1 }
                }
            }
            func letBirthHappen(_ round: Int) {
                turn.withLock { $0 = 2 * round }
                while turn.withLock({ $0 == 2 * round }) { sched_yield() }
            }
            letBirthHappen(0)
            demand(registry.summary().born == 1)
            LifetimeRegistry.isTracing = false
            letBirthHappen(1)
            OSThread { withExtendedLifetime(Plain()) {} }.join()
            demand(registry.summary().born == 1)
            LifetimeRegistry.isTracing = true
            letBirthHappen(2)
            demand(registry.summary().born == 2)
            early.join()
        }
    }

    @Test func deadlineForAnObjectCreatedWhileOffIsRefused() async {
        await #expect(processExitsWith: .success) {
            LifetimeRegistry.isTracing = false
            let plain = Plain()
            let other = Plain()
            demand(plain.lifetimeID != other.lifetimeID && plain.lifetimeRegistry === LifetimeRegistry.shared)
            do throws(TracerError) {
                try LifetimeRegistry.shared.expectDeallocation(of: plain, within: .seconds(1), because: "x")
                fatalError("there is a deadline for what is not traced")
            } catch {
                demand(error.code == .notTraced, "\(error)")
                demand(error.message.contains("while tracing was off"), error.message)
            }
            withExtendedLifetime((plain, other)) {}
        }
    }

    @Test func hubsAndTablesWorkWhileTracingIsOff() async {
        await #expect(processExitsWith: .success) {
            LifetimeRegistry.isTracing = false
            let hub = ObserverHub<Int>(event: "changed")
            let table = WeakKeyTable<Plain, String>()
            var received: [Int] = []
            let heard = Locked<[Int]>([])
            var owner: Plain? = Plain()
            var other: Plain? = Plain()
            if let owner, let other {
                hub.observe(owner: owner) { value in heard.withLock { $0.append(value) } }?.keep(for: owner)
                table[owner] = "one"
                table[other] = "two"
            }
            hub.send(1)
            demand(hub.count == 1 && table.count == 2)
            owner = nil
            hub.send(2)
            demand(hub.count == 0 && table.count == 1, "the owner's death ends its registration")
            if let other { demand(table[other] == "two") }
            other = nil
            demand(table.count == 0)
            received = heard.withLock { $0 }
            demand(received == [1])
            demand(LifetimeRegistry.shared.summary().born == 0)
            demand(LifetimeRegistry.shared.summary().tokens.orphaned == 0)
        }
    }

    @Test func scopedRegistryTracesNothingWhileTracingIsOff() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry()
            LifetimeRegistry.isTracing = false
            let plain = registry.withCurrent { Plain() }
            demand(registry.summary().born == 0)
            withExtendedLifetime(plain) {}
        }
    }
}
