import ForkTesting
import LifetimeTracer
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The registries of births while scopes begin and end on several threads.
@Suite struct ScopeTests {
    /// Calls a function with the numbers of threads, each on its own thread, once all threads run.
    private static func runAtOnce(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let ready = Locked(0)
        let threads = (0..<count).map { number in
            OSThread {
                ready.withLock { $0 += 1 }
                while ready.withLock({ $0 < count }) { sched_yield() }
                body(number)
            }
        }
        for thread in threads { thread.join() }
    }

    /// In a process of its own, in which no other test has a scope: each scope may then be the only one.
    @Test func eachBirthIsInTheScopeThatItsThreadHasJustOpened() async {
        await #expect(processExitsWith: .success) {
            let rounds = Sanitizer.isPresent ? 2_000 : 100_000
            let registries = (0..<3).map { _ in LifetimeRegistry() }
            // The more threads there have been, the longer it takes to tell all of them that there is a scope.
            Self.runAtOnce(500) { _ in withExtendedLifetime(Plain()) {} }
            Self.runAtOnce(registries.count) { number in
                let registry = registries[number]
                for _ in 0..<rounds {
                    registry.withCurrent { withExtendedLifetime(Plain()) {} }
                    withExtendedLifetime(Screen()) {}
                }
            }
            for registry in registries {
                let summary = registry.summary()
                demand(summary.born == rounds && summary.died == rounds, "\(summary.born) of \(rounds) are born here")
            }
            let shared = LifetimeRegistry.shared.summary()
            demand(shared.born == 500 + 3 * rounds && shared.died == shared.born, "\(shared.born) are born outside")
        }
    }

    @Test func taskHasTheScopeOfItsParentOnly() async {
        let (outer, inner) = (LifetimeRegistry(), LifetimeRegistry())
        await outer.withCurrent {
            let child = Task { withExtendedLifetime(Plain()) {} }
            let stranger = Task.detached { withExtendedLifetime(Plain()) {} }
            await child.value
            await stranger.value
            inner.withCurrent { withExtendedLifetime(Plain()) {} }
            withExtendedLifetime(Plain()) {}
        }
        #expect(outer.summary().born == 2)
        #expect(inner.summary().born == 1)
    }

    @Test func instanceKeepsItsRegistryAndTheLastOneReleasesIt() {
        weak var registry: LifetimeRegistry?
        var objects: [Plain] = []
        do {
            let made = LifetimeRegistry()
            registry = made
            objects = made.withCurrent { [Plain(), Plain()] }
            // Without a scope, the first instance and the last one retain and release the registry.
            objects.append(made.withCurrent { Plain() })
        }
        objects.removeLast(2)
        #expect(registry?.summary().live == 1)
        objects = []
        #expect(registry == nil)
    }

    private final class Holder {
        private let lifetimeToken: LifetimeToken

        init(_ registry: LifetimeRegistry) { lifetimeToken = LifetimeToken(of: Holder.self, registry: registry) }
    }

    /// Without a scope, so that each instance may be the first one and the last one.
    ///
    /// In a process of its own, which a release too many would end.
    @Test func registryOutlivesInstancesOfManyThreadsAndNoLonger() async {
        await #expect(processExitsWith: .success) {
            weak var registry: LifetimeRegistry?
            do {
                let made = LifetimeRegistry()
                registry = made
                Self.runAtOnce(3) { _ in
                    for _ in 0..<20_000 { withExtendedLifetime(Holder(made)) {} }
                }
                demand(made.summary().died == 60_000)
            }
            demand(registry == nil)
        }
    }
}
