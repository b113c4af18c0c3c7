import ForkTesting
import LifetimeTracer

/// Work that takes all kinds of locks.
enum Churn {
    /// Traces until the crowd is to stop.
    static func run(_ registry: LifetimeRegistry, _ number: Int, until stops: Crowd.Stops) {
        let hub = ObserverHub<Int>(event: "churned")
        var round = 0
        while !stops.isWanted {
            round += 1
            registry.withCurrent {
                let plain = Plain(label: "\(number)/\(round)")
                let token = ObserverToken(.hub, event: "event \(round % 3)", owner: plain) {}
                hub.observe(owner: plain) { _ in }?.keep(for: plain)
                hub.send(round)
                _ = try? registry.expectDeallocation(of: plain, within: .zero, because: "churn")
                let (flow, screen) = (Flow(), Screen())
                flow.addChild(screen)
                withExtendedLifetime((plain, token, screen)) {}
            }
            if round % 16 == number {
                _ = registry.snapshot()
                _ = registry.summary()
            }
            if round % 50 == number {
                registry.check()
                // Creates and releases a registry with its thread.
                let own = LifetimeRegistry()
                own.check()
            }
        }
    }

    /// Uses all parts of the registry once; returns 0, or the number of the part that failed.
    static func traces(_ registry: LifetimeRegistry) -> Int32 {
        let before = registry.summary()
        let plain = registry.withCurrent { Plain(label: "child") }
        let token = ObserverToken(.hub, event: "child", owner: plain) {}
        let hub = ObserverHub<Int>(event: "child")
        let deliveries = Locked(0)
        hub.observe(owner: plain) { _ in deliveries.withLock { $0 += 1 } }?.keep(for: plain)
        hub.send(1)
        guard deliveries.withLock({ $0 }) == 1 else { return 1 }
        guard (try? registry.expectDeallocation(of: plain, within: .seconds(60), because: "child")) != nil else {
            return 2
        }
        guard registry.summary().born > before.born else { return 3 }
        let snapshot = registry.snapshot()
        guard Disagreement.of(snapshot) == nil else { return 4 }
        guard snapshot.instances.contains(where: { $0.label == "child" }) else { return 5 }
        registry.check()
        let own = LifetimeRegistry()
        own.check()
        return withExtendedLifetime((plain, token)) { 0 }
    }
}
