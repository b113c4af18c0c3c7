#if os(Linux) && canImport(Glibc)
import ForkTesting
import Glibc
import LifetimeTracer
import Testing

/// The system refuses to create the registry's thread.
@Suite struct RefusedThreadTests {
    private final class Probe: TracedObject {}

    // The test runs in its own process, which changes its user, because the limit of threads does not apply to root.
    @Test(.enabled("ThreadSanitizer needs threads") { Sanitizer.allowsChildren }) func verdictsNeedNoThread() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 120)
            if getuid() == 0 {
                demand(setgroups(0, nil) == 0 && setgid(65_533) == 0 && setuid(65_533) == 0, "error \(errno)")
            }
            Self.limitThreads(to: 0)
            let registry = LifetimeRegistry()
            let overdue = Locked(0)
            let second = Event()
            registry.observeVerdicts(
                .closure { _ in
                    let count = overdue.withLock { count in
                        count += 1
                        return count
                    }
                    if count == 2 { second.occur() }
                }
            ).keep()
            let leaked = registry.withCurrent { Probe() }
            demand((try? registry.expectDeallocation(of: leaked, within: .zero, because: "a test")) != nil)
            demand(Self.refusals(registry) > 0, "the refusal is counted")
            registry.check()
            demand(overdue.withLock { $0 } == 1, "a caller reaches the verdicts instead of the thread")
            registry.check()
            demand(overdue.withLock { $0 } == 1)

            let again = registry.withCurrent { Probe() }
            demand((try? registry.expectDeallocation(of: again, within: .zero, because: "a test")) != nil)
            Self.limitThreads(to: rlim_t.max)
            let refusals = Self.refusals(registry)
            // Reading the summary has started the thread.
            second.wait()
            demand(Self.refusals(registry) == refusals)
            withExtendedLifetime((leaked, again)) {}
        }
    }

    private static func refusals(_ registry: LifetimeRegistry) -> Int {
        registry.summary().drops.first { $0.buffer == "threadStarts" }?.dropped ?? 0
    }

    /// Sets the soft limit, at most to the hard limit.
    private static func limitThreads(to number: rlim_t) {
        let resource = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = min(number, limit.rlim_max)
        demand(setrlimit(resource, &limit) == 0, "error \(errno)")
    }
}
#endif
