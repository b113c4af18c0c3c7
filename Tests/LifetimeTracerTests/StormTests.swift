import Dispatch
import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Concurrent use of all features from eight threads; this suite also runs under the sanitizers.
@Suite struct StormTests {
    private final class Mailbox: @unchecked Sendable {
        // Guarded by `lock`. Objects pass between threads here, so many of them die on another thread than the one of
        // their birth.
        private var objects: [TracedObject] = []
        private let lock = Locked(false)

        func exchange(_ object: TracedObject) -> TracedObject? {
            lock.withLock { _ in
                objects.append(object)
                return objects.count > 64 ? objects.remove(at: objects.count / 2) : nil
            }
        }

        func empty() -> [TracedObject] {
            lock.withLock { _ in
                defer { objects = [] }
                return objects
            }
        }
    }

    @Test func listsAndCountsAgreeInEverySnapshot() throws {
        let registry = LifetimeRegistry()
        let mailbox = Mailbox()
        let problems = Locked<[String]>([])
        let rounds = 400
        let verdicts = Locked(0)
        registry.observeVerdicts(.closure { _ in verdicts.withLock { $0 += 1 } }).keep()
        registry.startHistory()
        try registry.setBudget(10, for: Plain.self)

        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            registry.withCurrent {
                for round in 0..<rounds {
                    let plain = Plain(label: round % 5 == 0 ? "\(worker)/\(round)" : nil)
                    let token = ObserverToken(.hub, event: "event \(round % 3)", owner: plain) {}
                    token.recordDelivery()
                    let deadline = try? registry.expectDeallocation(of: plain, within: .zero, because: "storm")
                    if round % 3 == 0 { deadline?.remove() }
                    let (flow, screen) = (Flow(), Screen())
                    flow.addChild(screen)
                    if round % 2 == 0 { screen.removeFromParent() }
                    _ = mailbox.exchange(plain)
                    _ = mailbox.exchange(screen)
                    if round % 8 == worker {
                        if let problem = Disagreement.of(registry.snapshot()) {
                            problems.withLock { $0.append(problem) }
                        }
                        _ = registry.summary()
                    }
                    if round % 50 == 0 { registry.check() }
                }
            }
        }
        #expect(problems.withLock { $0 }.isEmpty)
        _ = mailbox.empty()
        registry.check()
        let end = registry.snapshot()
        #expect(Disagreement.of(end) == nil)
        #expect(end.live == 0 && end.born == 8 * rounds * 3 && end.died == end.born)
        #expect(end.deadlines.isEmpty && end.tokens.isEmpty)
        #expect(registry.summary().tokens.removed == 8 * rounds)
        #expect(registry.summary().overdue == 0)
        #expect(verdicts.withLock { $0 } > 0)
    }

    @Test func snapshotsAreConsistentUnderChurn() {
        let registry = LifetimeRegistry()
        let isDone = Locked(false)
        let problems = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            registry.withCurrent {
                guard worker == 0 else {
                    while !isDone.withLock({ $0 }) { for _ in 0..<5 { _ = [Plain(), Plain(), Plain()] } }
                    return
                }
                for _ in 0..<10_000 {
                    guard let problem = Disagreement.of(registry.snapshot()) else { continue }
                    problems.withLock { $0.append(problem) }
                    break
                }
                isDone.withLock { $0 = true }
            }
        }
        #expect(problems.withLock { $0 }.isEmpty)
    }

    @Test func noInstanceIsReportedOverdueAfterLate() {
        var configuration = RegistryConfiguration()
        configuration.verdictLimit = 100_000
        let registry = LifetimeRegistry(configuration: configuration)
        let busy = Locked(7)
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            guard worker > 0 else {
                while busy.withLock({ $0 > 0 }) { registry.check() }
                return
            }
            registry.withCurrent {
                for _ in 0..<1500 {
                    let plain = Plain()
                    _ = try? registry.expectDeallocation(of: plain, within: .nanoseconds(1), because: "storm")
                }
            }
            busy.withLock { $0 -= 1 }
        }
        registry.check()
        var late: Set<InstanceID> = []
        var wrong = 0
        for verdict in registry.verdicts() {
            guard let instance = verdict.instance else { continue }
            if verdict.kind == .late { late.insert(instance) } else if late.contains(instance) { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect(!late.isEmpty && registry.summary().overdue == 0)
    }

    @Test func tablesHubsAndBagsSurviveConcurrentUse() {
        let registry = LifetimeRegistry()
        let table = WeakKeyTable<Plain, [Int]>()
        let queue = DispatchQueue(label: "delivery")
        let hub = ObserverHub<Int>(event: "changed", policy: .replaceByOwner, delivery: .asynchronous(queue))
        let bag = RegistrationBag()
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            registry.withCurrent {
                for round in 0..<200 {
                    let plain = Plain()
                    table[plain] = [worker, round]
                    if round % 4 == 0 { table[plain] = nil }
                    hub.observe(owner: plain) { _ in }?.keep(for: plain)
                    hub.send(round)
                    bag.insert(ObserverToken(.timer, event: "t", owner: plain) {})
                    if table[plain].map({ $0 != [worker, round] }) ?? false { Issue.record("a foreign value") }
                }
            }
        }
        bag.removeAll()
        queue.sync {}
        #expect(table.count == 0 && hub.count == 0)
        let summary = registry.summary()
        #expect(summary.live == 0 && summary.tokens.inForce == 0)
    }
}
