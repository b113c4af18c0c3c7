import CLifetimeRuntime
import Testing

@testable import LifetimeTracer

/// Contexts name registries that were released and whose memory may have been reused.
@Suite struct OwnMemoryTests {
    @Test func ownMemoryContainsContexts() {
        let registry = LifetimeRegistry(clock: ManualClock())
        registry.withCurrent {
            let traced = TracedObject()
            withExtendedLifetime(traced) {
                let context = UInt(bitPattern: lt_context_at(0))
                #expect(LifetimeRegistry.ownMemory().contains { $0.contains(context) })
            }
        }
    }
}
