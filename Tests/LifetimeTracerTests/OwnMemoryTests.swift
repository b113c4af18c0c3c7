import CLifetimeRuntime
import Testing

@testable import LifetimeTracer

/// Contexts name registries that have gone, in whose place anything may be now.
@Suite struct OwnMemoryTests {
    @Test func contextsAreTold() {
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
