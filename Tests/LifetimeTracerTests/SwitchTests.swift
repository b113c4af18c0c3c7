import LifetimeTracer
import Testing

/// Switching tracing off and on again; the switch is the process's, so each test has one of its own.
@Suite struct SwitchTests {
    @Test func whatIsMadeWhileOffIsNotCounted() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry.shared
            var early: [Plain] = [Plain(), Plain()]
            LifetimeRegistry.isTracing = false
            precondition(!LifetimeRegistry.isTracing)
            var objects: [Plain] = (0..<5).map { _ in Plain(label: "unseen") }
            precondition(registry.summary().live == 2 && registry.snapshot().instances.count == 2)
            early.removeLast()
            precondition(registry.summary().live == 1, "what was counted is counted to its end")
            LifetimeRegistry.isTracing = true
            objects.removeAll()
            precondition(registry.summary().live == 1 && registry.summary().died == 1)
            let late = Plain()
            precondition(registry.summary().live == 2)
            withExtendedLifetime((early, late)) {}
        }
    }

    @Test func whatIsMadeWhileOffSaysSo() async {
        await #expect(processExitsWith: .success) {
            LifetimeRegistry.isTracing = false
            let plain = Plain()
            let other = Plain()
            precondition(plain.lifetimeID != other.lifetimeID && plain.lifetimeRegistry === LifetimeRegistry.shared)
            do throws(TracerError) {
                try LifetimeRegistry.shared.expectDeallocation(of: plain, within: .seconds(1), because: "x")
                fatalError("there is a deadline for what is not traced")
            } catch {
                precondition(error.code == .notTraced, "\(error)")
                precondition(error.message.contains("while tracing was off"), error.message)
            }
            withExtendedLifetime((plain, other)) {}
        }
    }

    @Test func hubsAndTablesWorkWhileOff() async {
        await #expect(processExitsWith: .success) {
            LifetimeRegistry.isTracing = false
            let hub = ObserverHub<Int>(event: "changed")
            let table = WeakKeyTable<Plain, String>()
            var received: [Int] = []
            let heard = Locked<[Int]>([])
            var owner: Plain? = Plain()
            var other: Plain? = Plain()
            if let owner, let other {
                hub.observe(owner: owner) { value in heard.withLock { $0.append(value) } }
                table[owner] = "one"
                table[other] = "two"
            }
            hub.send(1)
            precondition(hub.count == 1 && table.count == 2)
            owner = nil
            hub.send(2)
            precondition(hub.count == 0 && table.count == 1, "the owner's death ends its registration")
            if let other { precondition(table[other] == "two") }
            other = nil
            precondition(table.count == 0)
            received = heard.withLock { $0 }
            precondition(received == [1])
            precondition(LifetimeRegistry.shared.summary().born == 0)
            precondition(LifetimeRegistry.shared.summary().tokens.orphaned == 0)
        }
    }

    @Test func scopesAreNotTracedEither() async {
        await #expect(processExitsWith: .success) {
            let registry = LifetimeRegistry()
            LifetimeRegistry.isTracing = false
            let plain = registry.withCurrent { Plain() }
            precondition(registry.summary().born == 0)
            withExtendedLifetime(plain) {}
        }
    }
}
