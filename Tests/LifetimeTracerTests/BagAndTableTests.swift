import LifetimeTracer
import Testing

@Suite struct RegistrationBagTests {
    private let bench = Bench()
    private let removed = Locked<[Int]>([])

    private func token(_ number: Int) -> ObserverToken {
        bench.make { ObserverToken(.request, event: "load") { [removed] in removed.withLock { $0.append(number) } } }
    }

    @Test func deallocatedBagRemovesItsTokensInOrder() {
        var bag: RegistrationBag? = RegistrationBag()
        for number in 0..<3 { bag.map { token(number).store(in: $0) } }
        #expect(bag?.count == 3)
        #expect(bench.registry.summary().tokens.inForce == 3)
        bag = nil
        #expect(removed.withLock { $0 } == [0, 1, 2])
        #expect(bench.registry.summary().tokens.inForce == 0)
    }

    @Test func cancelledBagRemovesTokensInsertedLater() {
        let bag = RegistrationBag()
        bag.removeAll()
        bag.insert(token(1))
        #expect(removed.withLock { $0 } == [1] && bag.count == 0)
    }

    @Test func endedTokensDoNotAccumulateInTheBag() {
        let bag = RegistrationBag()
        for number in 0..<1000 {
            let token = token(number)
            bag.insert(token)
            token.remove()
        }
        #expect(bag.count == 0 && removed.withLock { $0.count } == 1000)
    }
}

@Suite struct WeakKeyTableTests {
    private final class Value: Sendable {
        private let gone: @Sendable () -> Void

        init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }

        deinit { gone() }
    }

    @Test func valueIsFreedImmediatelyWithItsKey() {
        let bench = Bench()
        let table = WeakKeyTable<Plain, Value>()
        let gone = Locked(0)
        var key: Plain? = bench.make { Plain() }
        key.map { table[$0] = Value { gone.withLock { $0 += 1 } } }
        #expect(table.count == 1 && key.map { table[$0] != nil } == true)
        #expect(gone.withLock { $0 } == 0)
        key = nil
        #expect(gone.withLock { $0 } == 1 && table.count == 0)
    }

    @Test func aValueCanBeReplacedAndRemoved() {
        let bench = Bench()
        let table = WeakKeyTable<Plain, Value>()
        let gone = Locked(0)
        let key = bench.make { Plain() }
        for _ in 0..<3 { table[key] = Value { gone.withLock { $0 += 1 } } }
        #expect(gone.withLock { $0 } == 2 && table.count == 1)
        table[key] = nil
        #expect(gone.withLock { $0 } == 3 && table[key] == nil)
    }

    @Test func keysWithTheSameIDInTwoRegistriesAreDistinct() {
        let table = WeakKeyTable<Plain, Int>()
        let (one, other) = (Bench().make { Plain() }, Bench().make { Plain() })
        #expect(one.lifetimeID == other.lifetimeID)
        table[one] = 1
        table[other] = 2
        #expect(table[one] == 1 && table[other] == 2)
    }

    @Test func tableFreedBeforeItsKeyFreesItsValues() {
        let bench = Bench()
        let gone = Locked(0)
        let key = bench.make { Plain() }
        do {
            let table = WeakKeyTable<Plain, Value>()
            table[key] = Value { gone.withLock { $0 += 1 } }
        }
        #expect(gone.withLock { $0 } == 1)
        withExtendedLifetime(key) {}
    }

    @Test func valueCanUseTheTableInItsDeinit() {
        let bench = Bench()
        let table = WeakKeyTable<Plain, Value>()
        let count = Locked(-1)
        var key: Plain? = bench.make { Plain() }
        key.map { table[$0] = Value { [weak table] in count.withLock { $0 = table?.count ?? -2 } } }
        key = nil
        #expect(count.withLock { $0 } == 0)
    }
}
