import LifetimeTracer
import Testing

/// Closures that are removed from a registry release their captures after the lock.
///
/// The deinit of the captured object takes the same lock, so a release inside the lock would deadlock. Only an
/// optimised build may move a release.
@Suite struct ReleaseAfterLockTests {
    private let bench = Bench()

    @Test(.timeLimit(.minutes(20))) func capturesOfARemovedDeathAction() throws {
        let subject = bench.make { TracedObject() }
        var captured: Kept? = try watched()
        let key = bench.registry.onDeath(of: subject.lifetimeID) { [captured] in withExtendedLifetime(captured) {} }
        captured = nil
        try bench.registry.removeDeathAction(#require(key), of: subject.lifetimeID)
        #expect(bench.registry.snapshot().live == 1)
        withExtendedLifetime(subject) {}
    }

    @Test(.timeLimit(.minutes(20))) func capturesOfARemovedTokenRemovalAction() throws {
        var captured: Kept? = try watched()
        bench.registry.onTokenRemoval(key: 1) { [captured] in withExtendedLifetime(captured) {} }
        captured = nil
        bench.registry.removeTokenRemovalAction(1)
        #expect(bench.registry.snapshot().live == 0)
    }

    @Test(.timeLimit(.minutes(20))) func capturesOfAReplacedTokenRemovalAction() throws {
        var captured: Kept? = try watched()
        bench.registry.onTokenRemoval(key: 1) { [captured] in withExtendedLifetime(captured) {} }
        captured = nil
        bench.registry.onTokenRemoval(key: 1) {}
        #expect(bench.registry.snapshot().live == 0)
        bench.registry.removeTokenRemovalAction(1)
    }

    /// An object whose death takes the locks of tokens, deadlines and death actions.
    private func watched() throws -> Kept {
        let object = bench.make { Kept() }
        try bench.registry.expectDeallocation(of: object, within: .seconds(100), because: "the test ends")
        return object
    }

    /// `@unchecked Sendable` is safe because the class has no state.
    private final class Kept: TracedObject, @unchecked Sendable {}
}
