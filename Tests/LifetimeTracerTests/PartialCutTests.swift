import Dispatch
import LifetimeTracer
import Testing

/// Lists of some instances, and counts of types, without a list of all: they equal what a snapshot says.
@Suite struct PartialCutTests {
    private func ids(_ extract: InstanceExtract) -> [UInt64] { extract.instances.map(\.id.rawValue) }

    @Test func rangeBeginsBehindAnIDInEitherDirection() {
        let bench = Bench()
        var objects: [Plain?] = bench.make { (1...900).map { _ in Plain() } }
        for place in stride(from: 1, to: 900, by: 2) { objects[place] = nil }
        // The new instances use the records of the dead ones, so the records are not in the order of the ids.
        let more = bench.make { (1...200).map { _ in Plain() } }
        let all = bench.registry.snapshot().instances.map(\.id.rawValue)
        #expect(all.count == 650)
        for limit in [0, 1, 7, 100, 649, 650, 5000] {
            for start in [nil, 0, 1, 2, 450, 899, 1000, 1100, 1101, .max] as [UInt64?] {
                let behind = start.map(InstanceID.init(rawValue:))
                let up = bench.registry.instances(in: IDRange(isAscending: true, behind: behind, limit: limit))
                let above = all.filter { $0 > start ?? 0 }
                #expect(ids(up) == Array(above.prefix(limit)), "\(limit) behind \(String(describing: start))")
                #expect(up.total == 650 && up.position == 650 - above.count)
                let down = bench.registry.instances(in: IDRange(isAscending: false, behind: behind, limit: limit))
                let below = all.filter { $0 < start ?? .max }
                #expect(ids(down) == Array(below.suffix(limit)), "\(limit) before \(String(describing: start))")
                #expect(down.total == 650 && down.position == 650 - below.count)
            }
        }
        withExtendedLifetime((objects, more)) {}
    }

    @Test func rangeContainsWhatASnapshotSaysOfItsInstances() throws {
        let bench = Bench()
        let owner = bench.make { Plain() }
        var former: Plain? = bench.make { Plain() }
        let owned = bench.make { [Plain(label: "a", owner: owner), Plain(label: "b", owner: former)] }
        former = nil
        try bench.registry.expectDeallocation(of: owned[0], within: .seconds(1), because: "test")
        try bench.registry.setBudget(1, for: Plain.self)
        bench.pass(.seconds(2))
        let snapshot = bench.registry.snapshot()
        let extract = bench.registry.instances(in: IDRange(isAscending: true, behind: nil, limit: 10))
        #expect(extract.instances.map { "\($0)" } == snapshot.instances.map { "\($0)" })
        #expect(extract.instances.contains { $0.isOverdue } && extract.instances.contains { $0.owner?.isLive == true })
        #expect(extract.typesOverBudget == [snapshot.types[0].type] && snapshot.types[0].isOverBudget)
        withExtendedLifetime((owner, owned)) {}
    }

    @Test func unlistedInstancesAreNotInARange() {
        let bench = Bench { $0.instanceLimit = 3 }
        let objects = bench.make { (0..<5).map { _ in Plain() } }
        let extract = bench.registry.instances(in: IDRange(isAscending: true, behind: nil, limit: 10))
        #expect(extract.total == 3 && extract.instances.count == 3)
        let overview = bench.registry.typeOverview()
        #expect(overview.live(0) == 5 && overview.records([0])[0].oldest != nil)
        withExtendedLifetime(objects) {}
    }

    @Test func overviewEqualsTheTypesOfASnapshot() throws {
        let bench = Bench()
        var owner: Plain? = bench.make { Plain() }
        let screens = bench.make { (0..<3).map { _ in Screen(label: nil, owner: owner) } }
        owner = nil
        bench.clock.advance(by: .seconds(3))
        var flows: [Flow] = bench.make { [Flow(), Flow()] }
        try bench.registry.setBudget(1, for: Screen.self)
        try bench.registry.setMaximumAge(.seconds(1000), for: Flow.self)
        for object in screens { try bench.registry.expectDeallocation(of: object, within: .seconds(1), because: "x") }
        try bench.registry.expectDeallocation(of: flows[0], within: .seconds(1), because: "x")
        bench.pass(.seconds(2))
        func requireEqual() {
            let overview = bench.registry.typeOverview()
            let expected = bench.registry.snapshot().types
            #expect(overview.records(Array(0..<overview.count)).map { "\($0)" } == expected.map { "\($0)" })
        }
        requireEqual()
        // The oldest of a type dies, late; then a younger one is the oldest; then none is left.
        flows.removeFirst()
        requireEqual()
        bench.clock.advance(by: .seconds(1))
        flows += bench.make { [Flow()] }
        flows.removeFirst()
        requireEqual()
        flows = []
        requireEqual()
        #expect(bench.registry.typeOverview().records([1]).map(\.orphanOwner) == [3])
        withExtendedLifetime(screens) {}
    }

    @Test func lateInstancesAreCountedByTypeWhileTheyAreRemembered() throws {
        let bench = Bench { $0.lateLimit = 2 }
        for isScreen in [true, false, false, true] {
            var object: TracedObject? = bench.make { isScreen ? Screen() : Plain() }
            if let object { try bench.registry.expectDeallocation(of: object, within: .seconds(1), because: "x") }
            bench.pass(.seconds(2))
            object = nil
        }
        let overview = bench.registry.typeOverview()
        #expect(overview.records([0, 1]).map(\.late) == bench.registry.snapshot().types.map(\.late))
        #expect(overview.records([0, 1]).map(\.late) == [1, 1])
    }

    @Test func snapshotOfOverdueHasTheirDeadlinesAndHolders() throws {
        let bench = Bench()
        let owner = bench.make { Plain() }
        let objects = bench.make { (0..<3).map { Plain(label: "\($0)", owner: owner) } }
        for object in objects.prefix(2) {
            try bench.registry.expectDeallocation(of: object, within: .seconds(1), because: "x")
        }
        bench.pass(.seconds(2))
        let (part, whole) = (bench.registry.snapshotOfOverdue(), bench.registry.snapshot())
        #expect(part.deadlinesOfOverdue.map { "\($0)" } == whole.deadlinesOfOverdue.map { "\($0)" })
        #expect(part.instances.map(\.id) == objects.prefix(2).map(\.lifetimeID) && part.live == 4)
        let first = objects[0].lifetimeID
        #expect(part.holders(of: first) == [owner.lifetimeID] && whole.holders(of: first) == [owner.lifetimeID])
        withExtendedLifetime((objects, owner)) {}
    }

    @Test func typesWithMostLiveAreSortedByCountAndName() {
        let bench = Bench()
        let objects = bench.make { [Screen(), Plain(), Flow(), Plain(), Screen(), Screen()] as [TracedObject] }
        let top = { bench.registry.summary(topTypes: $0).top.map { "\($0.type.name) \($0.live)" } }
        #expect(top(9) == ["Screen 3", "Plain 2", "Flow 1"] && top(1) == ["Screen 3"] && top(0).isEmpty)
        let more = bench.make { [Flow(), Flow(), Plain()] as [TracedObject] }
        #expect(top(9) == ["Flow 3", "Plain 3", "Screen 3"] && top(2) == ["Flow 3", "Plain 3"])
        withExtendedLifetime((objects, more)) {}
    }

    @Test func partsAndCountsAgreeWhileInstancesDie() {
        let registry = LifetimeRegistry()
        let isOver = Locked(false)
        let problems = Locked<[String]>([])
        // So many that others die while their records are read.
        let keepers = registry.withCurrent { (0..<20_000).map { _ in Screen() } }
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            guard worker > 0 else {
                for round in 0..<150 {
                    let range = IDRange(isAscending: round % 2 == 0, behind: nil, limit: 100_000)
                    let extract = registry.instances(in: range)
                    if extract.instances.count != extract.total {
                        problems.withLock { $0.append("\(extract.instances.count) of \(extract.total) listed") }
                    }
                    let ids = extract.instances.suffix(1000).map(\.id)
                    if Set(ids).count != ids.count || ids != ids.sorted() {
                        problems.withLock { $0.append("\(ids) are listed") }
                    }
                    let overview = registry.typeOverview()
                    let records = overview.records(Array(0..<overview.count))
                    if let wrong = records.first(where: { ($0.oldest != nil) != ($0.live > 0) }) {
                        problems.withLock { $0.append("\(wrong)") }
                    }
                }
                isOver.withLock { $0 = true }
                return
            }
            registry.withCurrent {
                var kept: [Plain] = []
                while !isOver.withLock({ $0 }) {
                    kept.append(Plain())
                    if kept.count > 300 { kept.removeSubrange(worker * 20..<300) }
                }
            }
        }
        #expect(problems.withLock { $0 }.isEmpty)
        withExtendedLifetime(keepers) {}
    }
}
